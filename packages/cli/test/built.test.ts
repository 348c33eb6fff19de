/** The installed command: tests that need the built files. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryHome } from './run-hermes.ts'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const MAIN = join(DIST, 'main.js')
const run = promisify(execFile)

describe('the built command', () => {
  it('needs no package at its start, and late ones only for models and locks', () => {
    const asked = readdirSync(DIST)
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readFileSync(join(DIST, file), 'utf8').matchAll(/(?:\b(?:from|import)\s*["']|\bimport\(\s*["'`])([^"'`\s]+)["'`]/g),
      ])
      .map(([, specifier = '']) => specifier)
    expect(asked).toContain('node:fs')
    expect([...new Set(asked.filter((name) => /^[@a-z][\w./@-]*$/.test(name) && !isBuiltin(name)))].sort()).toEqual([
      '@ai-sdk/anthropic',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
    ])
  })

  it('keeps the licences of what it contains', () => {
    const text = readFileSync(join(DIST, 'THIRD-PARTY.txt'), 'utf8')
    const command = ['@clack/prompts', 'hono', 'modern-tar', 'picocolors', 'y18n', 'yaml', 'yargs', 'yargs-parser', 'zod']
    const page = ['@preact/signals', 'diff', 'preact', 'uplot']
    for (const name of [...command, ...page]) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|BSD-3-Clause)\\)$`, 'm'))
    }
  })

  it('answers without output on stderr', async () => {
    const home = temporaryHome()
    const { stdout, stderr } = await run(process.execPath, [MAIN, 'curator', 'status', '--json', '--home', home])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, value: { enabled: true } })
    expect((await run(process.execPath, [MAIN, '--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('gives its choice of a model to others', async () => {
    const { chooseModel } = await import('@hermes/cli/model')
    expect(await chooseModel({ OLLAMA_HOST: 'box' })).toMatchObject({ label: 'Ollama qwen3' })
  })
})
