/** The built command, in empty folders. The apps from the packed packages: scripts/packed/create.long.test.ts. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPty } from '../../../scripts/support/pty.ts'
import { TEMPLATE_NAMES } from '../src/templates.ts'

const PACKAGE = join(import.meta.dirname, '..')
const COMMAND = join(PACKAGE, 'dist/main.js')
const run = promisify(execFile)

let folder = ''

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'create-')))
})

afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const create = (args: readonly string[]): Promise<Ended> =>
  run(process.execPath, [COMMAND, ...args], { cwd: folder }).then(
    (ended) => ({ code: 0, ...ended }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )

const filesIn = async (app: string): Promise<readonly string[]> => {
  const entries = await readdir(join(folder, app), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

describe('npm create @hermes', () => {
  it.each(TEMPLATE_NAMES)('writes %s as at most six files, with a test and this version of our packages', async (template) => {
    const { code, stdout } = await create(['--template', template, 'some/my-app'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('cd some/my-app\n  npm install\n  npm ') })
    const files = await filesIn('some/my-app')
    expect(files.length).toBeLessThanOrEqual(6)
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    expect(texts.join('\n')).not.toMatch(/hermes-app|workspace:/)
    const read = (file: string): Promise<string> => readFile(join(folder, 'some/my-app', file), 'utf8')
    const { name, private: isPrivate, scripts, dependencies } = JSON.parse(await read('package.json'))
    const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
    expect({ name, isPrivate, core: dependencies['@hermes/core'] }).toEqual({ name: 'my-app', isPrivate: true, core: `^${version}` })
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test', 'typecheck']))
    expect(files).toContain(join(folder, 'some/my-app/chat.test.ts'))
    expect((await read('.gitignore')).split('\n')).toEqual(expect.arrayContaining(['node_modules', 'memory', '.env*']))
  })

  it('writes an app whose own test passes', async () => {
    await create(['-t', 'ai-sdk', 'my-app'])
    const cwd = join(folder, 'my-app')
    await symlink(join(PACKAGE, 'node_modules'), join(cwd, 'node_modules'))
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--test', '--test-reporter=tap', 'chat.test.ts'], { cwd })
    expect(stdout).toMatch(/^# pass 1$/m)
  })

  it('writes into an empty folder, and into the current one', async () => {
    await mkdir(join(folder, 'my-app'))
    expect((await create(['-t', 'mcp', 'my-app'])).code).toBe(0)
    const { stdout } = await run(process.execPath, [COMMAND, '-t', 'mcp', '.'], {
      cwd: await mkdir(join(folder, 'own'), { recursive: true }),
    })
    expect(stdout).toContain('Run it:\n\n  npm install\n')
  })

  it.each([
    [
      'an unknown template',
      ['-t', 'nexjs', 'my-app'],
      2,
      /There is no template 'nexjs'\. Choose one of: ai-sdk, nextjs, langchain, mcp, claude-code\./,
    ],
    ['an unknown option', ['--force', 'my-app'], 2, /Unknown option '--force'.*--help/],
    ['an option without its value', ['my-app', '--template'], 2, /--template <value>' argument missing.*--help/],
    ['two folders', ['-t', 'mcp', 'a', 'b'], 2, /Name one folder, not 2: a, b\./],
    ['no template and no terminal', ['my-app'], 2, /no terminal to ask on.*npm create @hermes -- --template/s],
    [
      'a full folder',
      ['-t', 'mcp', 'full'],
      1,
      /full' is not empty \(it has 'note\.txt'\), and no file is overwritten: name a new or an empty folder\./,
    ],
    ['a file', ['-t', 'mcp', 'full/note.txt'], 1, /note\.txt' is not a folder.*name a new or an empty folder\./],
    ['a folder in a file', ['-t', 'mcp', 'full/note.txt/my-app'], 1, /my-app' is not a folder.*name a new or an empty folder\./],
    ['capitals and blanks', ['-t', 'mcp', 'My App'], 1, /'My App' cannot be the name of an app: use lower-case letters/],
    ['an empty name', ['-t', 'mcp', '/'], 1, /'' cannot be the name of an app/],
    ['the name node_modules', ['-t', 'mcp', 'node_modules'], 1, /'node_modules' cannot be the name of an app/],
    ['a name that is too long', ['-t', 'mcp', 'a'.repeat(215)], 1, /cannot be the name of an app/],
    ['the name of a dependency', ['-t', 'nextjs', 'next'], 1, /'next' is a package that the app installs: .*'next-app'/],
  ] as const)('refuses %s, says what to do, and writes nothing', async (_what, args, code, says) => {
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full/note.txt'), 'Mine.')
    const before = await filesIn('.')
    const ended = await create(args)
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(says) })
    expect(ended.stderr).toMatch(/^error: /)
    expect(await filesIn('.')).toEqual(before)
    expect(await readdir(folder)).toEqual(['full'])
    expect(await readFile(join(folder, 'full/note.txt'), 'utf8')).toBe('Mine.')
  })

  it('asks at a terminal for what is missing, and Escape writes nothing', async () => {
    const env = { HOME: folder, NO_COLOR: '1' }
    const pty = openPty({ args: [COMMAND], cwd: folder, env, columns: 120 })
    await pty.waitFor(/Which app\?/)
    await pty.waitFor(/Claude Code/)
    pty.type('\u001B[B\u001B[B\r')
    await pty.waitFor(/In which folder\?/)
    pty.type('\r')
    await pty.waitFor(/Run it:/)
    expect(await pty.exited).toBe(0)
    expect(JSON.parse(await readFile(join(folder, 'my-app/package.json'), 'utf8')).dependencies).toHaveProperty('langchain')

    const stopped = openPty({ args: [COMMAND, 'other-app'], cwd: folder, env, columns: 120 })
    await stopped.waitFor(/Which app\?/)
    stopped.type('\u0003')
    await stopped.waitFor(/Stopped\. Nothing was written\./)
    expect(await stopped.exited).toBe(130)
    expect(await readdir(folder)).toEqual(['my-app'])
  })

  it('shows its help and its version', async () => {
    expect((await create(['--help'])).stdout).toContain('--template <name>   ai-sdk, nextjs, langchain, mcp, claude-code')
    const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
    expect((await create(['-v'])).stdout).toBe(`${version}\n`)
  })
})
