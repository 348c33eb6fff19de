import { spawn } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessRunning } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { askProgram } from './ask-program.ts'

const folder = await mkdtemp(join(tmpdir(), 'ask-'))

const node = (code: string, signal = AbortSignal.timeout(20_000), prompt = 'Question') =>
  askProgram({ program: process.execPath, args: ['-e', code], prompt, env: process.env, folder, signal })

describe('asking a program', () => {
  it('gives what it printed, and why it failed', async () => {
    expect(await node('process.stdin.pipe(process.stdout)')).toEqual({ printed: 'Question', failure: undefined })
    const failed = await node("console.log('{}'); console.error('Many lines\\nNot logged in'); process.exitCode = 3")
    expect(failed).toEqual({ printed: '{}\n', failure: expect.stringMatching(/ended with 3: Not logged in$/) })
  })

  it('rejects one that is missing, and one that prints without end', async () => {
    const missing = { program: 'missing-program', args: [], prompt: '', env: process.env, folder, signal: AbortSignal.timeout(20_000) }
    await expect(askProgram(missing)).rejects.toThrow("The program 'missing-program' was not found.")
    await expect(node("for (;;) require('fs').writeSync(1, 'x'.repeat(100_000))")).rejects.toThrow('printed more than')
  })

  it('survives one that reads nothing of a long prompt', async () => {
    expect(await node('process.stdin.destroy()', undefined, 'x'.repeat(2_000_000))).toMatchObject({ printed: '' })
  })

  it.skipIf(process.platform === 'win32').each([
    ['cancelled', true],
    ['at its end', false],
  ])('stops what the program has started: %s', async (_, isCancelled) => {
    const file = join(folder, `pid-${isCancelled}`)
    await writeFile(file, '')
    const script = `const child = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' })
        require('fs').writeFileSync(${JSON.stringify(file)}, String(child.pid))
        if (${!isCancelled}) child.unref()`
    const stop = new AbortController()
    const answer = node(script, stop.signal)
    await expect.poll(() => readFile(file, 'utf8'), { timeout: 10_000 }).not.toBe('')
    if (isCancelled) stop.abort(new Error('Cancelled'))
    await (isCancelled ? expect(answer).rejects.toThrow('Cancelled') : answer)
    const pid = Number(await readFile(file, 'utf8'))
    await expect.poll(() => isProcessRunning(pid), { timeout: 5_000 }).toBe(false)
  })

  it('the program ends with a process that is killed and can do nothing itself', async () => {
    const file = join(folder, 'pid-killed')
    await writeFile(file, '')
    const program = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setTimeout(() => {}, 60000)`
    const call = { program: process.execPath, args: ['-e', program], prompt: '', folder }
    const script = `import { askProgram } from ${JSON.stringify(new URL('./ask-program.ts', import.meta.url).href)}
      await askProgram({ ...${JSON.stringify(call)}, env: process.env, signal: AbortSignal.timeout(60000) })`
    const asking = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    await expect.poll(() => readFile(file, 'utf8'), { timeout: 10_000 }).not.toBe('')
    asking.kill('SIGKILL')
    const pid = Number(await readFile(file, 'utf8'))
    await expect.poll(() => isProcessRunning(pid), { timeout: 5_000 }).toBe(false)
  })
})
