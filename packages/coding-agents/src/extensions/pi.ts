/** The extension of pi: shows the block behind its system prompt, records each turn, and marks the prompts that nobody typed. */
import { existsSync } from 'node:fs'
import { callHook } from './call-hook.ts'

/** What it uses of pi. */
interface Context {
  readonly cwd: string
  readonly hasUI: boolean
  readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined }
}
interface PiEvent {
  readonly reason?: string
  readonly source?: string
  readonly text?: string
  readonly systemPrompt?: string
  readonly message?: { readonly role: string; readonly content: string | readonly { readonly type: string; readonly text?: string }[] }
}
interface Pi {
  on(event: string, listener: (event: PiEvent, context: Context) => unknown): void
  appendEntry(type: string): void
}

const textOf = ({ content }: NonNullable<PiEvent['message']>): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')

const FILES_END = '</file>\n'

/** Whether the prompt of a headless call is an argument of it. What was piped into the call stands before the prompt without a mark, and files with one. */
const isArgument = (text: string): boolean => {
  const filesEnd = text.lastIndexOf(FILES_END)
  return process.argv.includes(filesEnd < 0 ? text : text.slice(filesEnd + FILES_END.length))
}

export const hermesForPi = (pi: Pi): void => {
  let block = ''
  const typed = new Set<string>()
  const call = (event: string, { cwd, sessionManager }: Context, more = {}): Promise<string> =>
    callHook('pi', event, {
      ...{ session_id: sessionManager.getSessionId(), transcript_path: sessionManager.getSessionFile(), cwd },
      ...more,
    })
  const show = async (context: Context, source: string): Promise<void> => {
    block = await call('SessionStart', context, { source })
  }
  pi.on('session_start', (_, context) => {
    const file = context.sessionManager.getSessionFile()
    // It is written with the first answer.
    return show(context, file !== undefined && existsSync(file) ? 'resume' : 'startup')
  })
  pi.on('session_compact', (_, context) => show(context, 'compact'))
  pi.on('input', ({ text = '', source }, { hasUI }) => {
    if (source !== 'extension' && (hasUI || source === 'rpc' || isArgument(text))) typed.add(text.trim())
  })
  // Skills and templates of prompts, some of them of a repository, take the place of what was typed.
  pi.on('message_start', ({ message }) => {
    if (message?.role === 'user' && !typed.delete(textOf(message).trim())) pi.appendEntry('hermes-not-typed')
  })
  pi.on('before_agent_start', ({ systemPrompt }) => (block === '' ? undefined : { systemPrompt: `${systemPrompt}\n\n${block}` }))
  pi.on('agent_settled', (_, context) => call('Stop', context))
  pi.on('session_shutdown', ({ reason }, context) =>
    call('SessionEnd', context, { reason: context.hasUI && reason !== 'reload' ? 'exit' : 'other' }),
  )
}
