/** The real programs from npm. They are far too large for dependencies (400 MB each), so each is installed once into a folder of the cache. */
import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the tests run, and the table of the docs names. */
const CLAUDE_VERSION = '2.1.332'
const CODEX_VERSION = '0.171.0'
const GEMINI_VERSION = '0.61.0'
const OPENCODE_VERSION = '1.18.33'
const PI_VERSION = '1.6.0'
const COPILOT_VERSION = '1.0.102'

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

export const geminiProgram = (): Promise<string> => {
  const name = '@google/gemini-cli'
  return install('gemini-cli', GEMINI_VERSION, `${name}@${GEMINI_VERSION}`, `${name}/bundle/gemini.js`)
}

export const opencodeProgram = (): Promise<string> => {
  const name = `opencode-${MACHINE.replace('win32', 'windows')}${process.arch === 'x64' ? '-baseline' : ''}`
  return install('opencode', OPENCODE_VERSION, `${name}@${OPENCODE_VERSION}`, `${name}/bin/opencode${EXE}`)
}

/** The modules that opencode installs into each folder of settings, which takes it 20 seconds: the folder with them. */
export const opencodeModules = async (): Promise<string> => {
  const name = '@opencode-ai/plugin'
  const path = await install('opencode-plugin', OPENCODE_VERSION, `${name}@${OPENCODE_VERSION}`, name)
  return join(path, '../..')
}

export const piProgram = (): Promise<string> => {
  const name = '@earendil-works/pi-coding-agent'
  return install('pi', PI_VERSION, `${name}@${PI_VERSION}`, `${name}/dist/bundle/cli.js`)
}

export const copilotProgram = (): Promise<string> => {
  const name = `@github/copilot-${MACHINE}`
  return install('copilot', COPILOT_VERSION, `${name}@${COPILOT_VERSION}`, `${name}/copilot${EXE}`)
}
