/** One call of one of the agent's tools. It opens the home anew: what the hooks have recorded meanwhile counts. */
import type { AgentHost } from '../agent-host.ts'
import { openHome, sessionName } from '../open-home.ts'
import { findCaller, fromAnywhere, shownBefore, type ToolCall } from './shown-before.ts'

export const runCall = async (host: AgentHost | undefined, name: string, call: ToolCall): Promise<Readonly<Record<string, unknown>>> => {
  const sessionId = host?.sessionOf(process.env)
  const hermes = await openHome(host)
  try {
    const caller = host && sessionId !== undefined ? await findCaller(host, sessionId, call) : undefined
    const id = caller?.id ?? sessionId
    const session = hermes.session(host && id !== undefined ? sessionName(host, id) : undefined, { project: caller?.bookmark?.project })
    const tool = session.offerTools().find((each) => each.name === name)
    if (!tool) return { success: false, error: `There is no tool '${name}'.` }
    const messages = host && caller ? await shownBefore(host, caller, await session.systemBlock()) : fromAnywhere(call)
    const answer = await tool.execute(call.input, { messages })
    await session.settled()
    return answer
  } finally {
    await hermes.close()
  }
}
