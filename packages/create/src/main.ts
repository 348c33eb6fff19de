#!/usr/bin/env node
/** `npm create @hermes` starts it. Writes an app, and says how to run it; only `--install` uses the network. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { readArguments, USAGE } from './arguments.ts'
import { askFolder, askTemplate, hasPerson } from './ask.ts'
import { createApp } from './create-app.ts'
import { TEMPLATES, type TemplateName } from './templates.ts'

const [FAILED, WRONG_ARGUMENTS, STOPPED] = [1, 2, 130]

const fail = (problem: string, code: number): number => {
  process.stderr.write(`error: ${problem}\n`)
  return code
}

const readVersion = async (): Promise<string> => JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version

/** The exit code of `npm install`. */
const install = async (folder: string): Promise<number> => {
  const npm = spawn('npm', ['install'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  const [code] = await once(npm, 'exit')
  return code ?? FAILED
}

const nextSteps = (template: TemplateName, folder: string, isInstalled: boolean): string => {
  const path = relative('', folder)
  const { run, key } = TEMPLATES[template]
  const enter = path === '' ? [] : [`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`]
  const commands = [...enter, ...(isInstalled ? [] : ['npm install']), ...run]
  return `Run it:\n\n${commands.map((each) => `  ${each}\n`).join('')}\nA scripted model answers. With ${key} set, a real one does.\n`
}

const create = async ({
  template,
  folder,
  install: wanted,
}: Extract<ReturnType<typeof readArguments>, { kind: 'create' }>): Promise<number> => {
  if ((template === undefined || folder === undefined) && !hasPerson())
    return fail(`There is no terminal to ask on. Name the template and the folder:\n\n${USAGE}`, WRONG_ARGUMENTS)
  const chosen = template ?? (await askTemplate())
  const named = chosen && (folder ?? (await askFolder()))
  if (chosen === undefined || named === undefined) return fail('Stopped. Nothing was written.', STOPPED)

  const target = resolve(named)
  const created = await createApp(chosen, target, await readVersion())
  if (!created.ok) return fail(created.problem, FAILED)
  process.stdout.write(`Written to ${target}: ${created.files.join(', ')}.\n`)
  const code = wanted ? await install(target) : 0
  if (code !== 0) return fail(`'npm install' failed. The app is written: run 'npm install' in '${target}' again.`, FAILED)
  process.stdout.write(nextSteps(chosen, target, wanted))
  return 0
}

const main = async (): Promise<number> => {
  const request = readArguments(process.argv.slice(2))
  if (request.kind === 'wrong') return fail(request.problem, WRONG_ARGUMENTS)
  if (request.kind === 'create') return create(request)
  process.stdout.write(request.kind === 'help' ? USAGE : `${await readVersion()}\n`)
  return 0
}

process.exitCode = await main()
