/** The program of the MCP server: `mcp <host>`. Its code is loaded from the cache of compiled code. */
import { keepCompiledCode } from './compiled-code.ts'

keepCompiledCode()

// A failure ends the process, and the host says that the server is gone.
void import('../mcp/mcp-program.ts').then(({ mcpProgram }) => mcpProgram(process.argv[2]))
