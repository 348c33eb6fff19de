/** The coding agents that Hermes knows. */
import type { AgentHost } from './agent-host.ts'
import { claudeCode } from './claude-code/claude-code.ts'
import { codex } from './codex/codex.ts'
import { copilotCli } from './copilot-cli/copilot-cli.ts'
import { geminiCli } from './gemini-cli/gemini-cli.ts'
import { opencode } from './opencode/opencode.ts'
import { pi } from './pi/pi.ts'

const AGENT_HOSTS: readonly AgentHost[] = [claudeCode, codex, geminiCli, opencode, pi, copilotCli]

export const findHost = (name: string | undefined): AgentHost | undefined => AGENT_HOSTS.find((host) => host.name === name)
