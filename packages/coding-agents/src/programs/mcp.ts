/** The program of the MCP server: `mcp <host>`. Its code is loaded from the cache of compiled code. */
import nodeModule from 'node:module'

nodeModule.enableCompileCache?.()

const { mcpProgram } = await import('../mcp/mcp-program.ts')
await mcpProgram(process.argv[2])
