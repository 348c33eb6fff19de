/** The lines of standard input, without the empty ones. */
import { createInterface } from 'node:readline'

export async function* readLines(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== '') yield line.trim()
}
