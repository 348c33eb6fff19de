/** The reference memory server of MCP, started as a process of its own over stdio, with the client of the MCP SDK. */
import { createRequire } from 'node:module'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const SERVER = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js')

export const openTransport = (folder: string) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [SERVER],
    env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` },
    stderr: 'ignore',
  })

export const openClient = async (folder: string): Promise<Client> => {
  const client = new Client({ name: 'peers', version: '1.0.0' })
  await client.connect(openTransport(folder))
  return client
}
