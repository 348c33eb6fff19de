/** The agent's tools for the host that has started this process. */
import { findHost } from '../agent-hosts.ts'
import { serveTools } from './serve-tools.ts'

/** `host`: its name. Resolves when the host has closed its side. */
export const mcpProgram = (host: string | undefined): Promise<void> => serveTools(findHost(host))
