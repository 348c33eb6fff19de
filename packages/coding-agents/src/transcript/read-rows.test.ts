import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_BYTES, readRows } from './read-rows.ts'

const fileWith = async (content: string | Uint8Array): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'rows-')), 'transcript.jsonl')
  await writeFile(file, content)
  return file
}

describe('reading a transcript', () => {
  it('goes on where it ended, and waits for a line that is half written', async () => {
    const file = await fileWith('{"a":1}\n{"b":')
    const first = await readRows(file)
    expect(first).toMatchObject({ rows: [{ a: 1 }], isCut: false })
    await appendFile(file, '2}\n{"c":3}\n')
    expect(await readRows(file, first.end)).toMatchObject({ rows: [{ b: 2 }, { c: 3 }], isCut: false })
  })

  it('leaves out lines that are no JSON, says so, and survives bytes that are no UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('nonsense\n\n{"a":1}\n'), Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('\n{"b":2}\n')])
    expect(await readRows(await fileWith(bytes))).toMatchObject({ rows: [{ a: 1 }, { b: 2 }], isCut: true })
  })

  it('of 200 MB it reads the end, and says so', async () => {
    const file = await fileWith('{"first":1}\n')
    await truncate(file, 200_000_000)
    await appendFile(file, '\n{"last":1}\n')
    const started = performance.now()
    const { rows, isCut, end } = await readRows(file)
    expect(rows).toEqual([{ last: 1 }])
    expect(isCut).toBe(true)
    expect(end).toBe(200_000_012)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('a line that is longer than a reading is passed over', async () => {
    const file = await fileWith(`{"a":"${'x'.repeat(MAX_BYTES)}"}`)
    expect(await readRows(file)).toMatchObject({ rows: [], isCut: true })
  })

  it('reads a file that has become shorter from its beginning', async () => {
    const file = await fileWith('{"a":1}\n')
    expect(await readRows(file, 1_000)).toMatchObject({ rows: [{ a: 1 }], isCut: true, isReplaced: true })
  })

  it.skipIf(process.platform === 'win32')('rejects a pipe at once, which would wait for its writer', async () => {
    const pipe = join(await mkdtemp(join(tmpdir(), 'rows-')), 'pipe')
    execFileSync('mkfifo', [pipe])
    await expect(readRows(pipe)).rejects.toThrow('not a file')
  })

  it('rejects if there is no file', async () => {
    await expect(readRows('/nowhere/transcript.jsonl')).rejects.toThrow('ENOENT')
  })
})
