/** The coding agents that Hermes knows. */
import type { AgentHost } from './agent-host.ts'
import { claudeCode } from './claude-code/claude-code.ts'
import { codex } from './codex/codex.ts'
import { copilotCli } from './copilot-cli/copilot-cli.ts'
import { geminiCli } from './gemini-cli/gemini-cli.ts'

const AGENT_HOSTS: readonly AgentHost[] = [claudeCode, codex, geminiCli, copilotCli]

export const findHost = (name: string | undefined): AgentHost | undefined => AGENT_HOSTS.find((host) => host.name === name)
