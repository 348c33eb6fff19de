/** Transcripts as the real programs wrote them, with long texts cut, beside the turns that are read from them. `UPDATE_GOLDEN=1` writes the turns anew. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findHost } from '../src/agent-hosts.ts'
import { readRows } from '../src/transcript/read-rows.ts'

const GOLDEN = join(import.meta.dirname, 'golden')
const files = globSync('*/*.jsonl', { cwd: GOLDEN }).map((file) => file.replaceAll('\\', '/'))

/** What the start hook of these runs showed. */
const isOurs = (context: string) => context === 'MEMORY BLOCK: likes tea'

describe('a transcript of a real program', () => {
  it.each(files)('%s has these turns', async (file) => {
    const host = findHost(file.split('/')[0])
    const { rows } = await readRows(join(GOLDEN, file))
    const turns = JSON.parse(JSON.stringify(host?.turns(rows, isOurs)))
    const expected = join(GOLDEN, file.replace(/\.jsonl$/, '.turns.json'))
    if (process.env['UPDATE_GOLDEN']) writeFileSync(expected, `${JSON.stringify(turns, null, 2)}\n`)
    expect(turns).toEqual(JSON.parse(readFileSync(expected, 'utf8')))
  })
})
