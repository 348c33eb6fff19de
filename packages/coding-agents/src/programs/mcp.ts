/** The program of the MCP server: `mcp <host>`. Its code is loaded from the cache of compiled code. */
import { keepCompiledCode } from './compiled-code.ts'

keepCompiledCode()

const { mcpProgram } = await import('../mcp/mcp-program.ts')
await mcpProgram(process.argv[2])
