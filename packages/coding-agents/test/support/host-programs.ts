/** The real programs from npm. They are far too large for dependencies (400 MB each), so each is installed once into a folder of the cache. */
import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the tests run, and the table of the docs names. */
const CLAUDE_VERSION = '2.1.332'
const CODEX_VERSION = '0.171.0'

export const AGENT_SDK_VERSION = '0.3.332'

const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/hosts')

/** Rejects if there is no registry, or no program for this machine. */
const install = async (name: string, version: string, spec: string, program: string): Promise<string> => {
  const folder = join(CACHE, `${name}-${version}`)
  const path = join(folder, 'node_modules', program)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return path
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', spec], { cwd: folder, shell: process.platform === 'win32' })
  return path
}

const MACHINE = `${process.platform}-${process.arch}`
const EXE = process.platform === 'win32' ? '.exe' : ''

export const claudeProgram = (): Promise<string> => {
  const name = `@anthropic-ai/claude-code-${MACHINE}`
  return install('claude-code', CLAUDE_VERSION, `${name}@${CLAUDE_VERSION}`, `${name}/claude${EXE}`)
}

const TARGETS: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
}

export const codexProgram = (): Promise<string> => {
  const spec = `@openai/codex-${MACHINE}@npm:@openai/codex@${CODEX_VERSION}-${MACHINE}`
  return install('codex', CODEX_VERSION, spec, `@openai/codex-${MACHINE}/vendor/${TARGETS[MACHINE]}/bin/codex${EXE}`)
}

/** The module of the Claude Agent SDK, which brings a Claude Code of its own. */
export const agentSdk = (): Promise<string> => {
  const name = '@anthropic-ai/claude-agent-sdk'
  return install('claude-agent-sdk', AGENT_SDK_VERSION, `${name}@${AGENT_SDK_VERSION}`, `${name}/sdk.mjs`)
}
