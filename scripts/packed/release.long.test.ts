/** A release of all packages by the steps of the workflow, from a clone to a registry on this machine, and what users then install from it. */
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readManifest } from '../release/manifests.ts'
import { PUBLISHED } from '../support/published.ts'
import { usersNode } from '../support/users-node.ts'
import { createReader } from './reader.ts'
import { programsIn } from './readme-code.ts'
import { type LocalRegistry, startRegistry } from './verdaccio.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The version before, and what a minor change makes of it. */
const { version: BEFORE } = readManifest(join(ROOT, 'packages/core'))
const VERSION = BEFORE.replace(/^(\d+)\.(\d+)\..*$/, (_, major: string, minor: string) => `${major}.${Number(minor) + 1}.0`)
const run = promisify(execFile)
let clone = ''
let out = ''
let registry: LocalRegistry

interface Outcome {
  readonly code: number
  readonly printed: string
}

const sh = async (command: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> => {
  // As on a fresh machine, which has nothing of this run.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_OPTIONS|VITEST|HERMES_)/i.test(name))
  const options = { cwd: clone, env: { ...Object.fromEntries(inherited), CI: 'true', ...env }, maxBuffer: 64 * 1024 * 1024 }
  return run('sh', ['-c', command], options).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, printed: stdout + stderr }),
  )
}

const succeed = async (command: string): Promise<string> => {
  const { code, printed } = await sh(command)
  if (code !== 0) throw new Error(`${command}\n${printed}`)
  return printed
}

/** The commands of the job `publish`. */
const stepsOfWorkflow = (): readonly string[] => {
  const [, job = ''] =
    /^ {2}publish:\n([\s\S]*?)^ {2}\w/m.exec(
      readFileSync(join(clone, '.github/workflows/release.yml'), 'utf8').replace(/^\s*#.*\n/gm, ''),
    ) ?? []
  return [...job.matchAll(/^ {6}- run: (.+)$/gm)].map(([, command = '']) => command)
}

/** Who is logged in at the registry does it; at npm it is the workflow. */
const release = async (): Promise<Outcome> => {
  const [install = '', step = '', ...more] = stepsOfWorkflow()
  expect({ install, step, more }).toEqual({
    install: 'npx -y pnpm@12 install',
    step: 'npx -y pnpm@12 release --out "$RUNNER_TEMP/release"',
    more: [],
  })
  return sh(`${step} --registry ${registry.url}`, { RUNNER_TEMP: dirname(out), NPM_CONFIG_USERCONFIG: registry.npmrc })
}

const versionsAt = async (name: string): Promise<readonly string[]> => {
  const response = await fetch(`${registry.url}/@hermes%2f${name}`)
  const { versions = {} }: { versions?: object } = JSON.parse(await response.text())
  return Object.keys(versions)
}

beforeAll(async () => {
  const { scratch } = inject('packed')
  clone = join(scratch, 'clone')
  out = join(scratch, 'runner/release')
  registry = await startRegistry(join(scratch, 'registry'))
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  for (const file of stdout.split('\n').filter((each) => each !== '' && globSync(each, { cwd: ROOT }).length > 0)) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(ROOT, file), join(clone, file))
  }
  writeFileSync(join(clone, '.changeset/of-this-test.md'), "---\n'@hermes/core': minor\n---\n\nSomething new.\n")
  await succeed('git init -q -b main && git config user.name a && git config user.email a@example.org && git add -A && git commit -qm all')
  await succeed('npx -y pnpm@12 install --prefer-offline')
}, 600_000)

afterAll(() => registry?.close())

describe('a release', () => {
  it('is refused for a copy as it is in the repository: nothing is uploaded', async () => {
    const { code, printed } = await release()
    expect(code).toBe(1)
    expect(printed).toMatch(/Changesets are left: .*of-this-test\.md/)
    if (BEFORE === '0.0.0') expect(printed).toContain('@hermes/core still has the version 0.0.0')
    expect(await versionsAt('core')).toEqual([])
  })

  it('leaves no changeset behind, and all packages with one version and a changelog', async () => {
    await succeed('node scripts/release/manifests.ts --owner somebody')
    // In place of `pin-actions.ts`, which asks GitHub.
    for (const file of globSync('.github/workflows/*.yml', { cwd: clone })) {
      const path = join(clone, file)
      writeFileSync(path, readFileSync(path, 'utf8').replace(/@(v\d+)$/gm, `@${'0'.repeat(40)} # $1`))
    }
    await succeed('(git commit -qam owned || true) && npx -y pnpm@12 version-packages')
    expect(globSync('.changeset/*.md', { cwd: clone })).toEqual(['.changeset/README.md'])
    for (const name of PUBLISHED) expect(readManifest(join(clone, 'packages', name)).version).toBe(VERSION)
    expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toMatch(
      new RegExp(`## ${VERSION}\\n\\n### @hermes/[\\s\\S]*Something new\\.`),
    )
    // What tests of the pages expect then.
    await succeed(
      'npx -y pnpm@12 exec vitest run --project repository scripts/first-pages.test.ts scripts/documentation.test.ts scripts/release.test.ts',
    )
  })

  it.each([
    ['files that are not committed', 'true', 'Files differ from the commit'],
    ['no tag', 'git add -A && git commit -qm versions', `The commit has no tag v${VERSION}`],
    [
      'a tag without a changelog',
      `git tag v${VERSION} && git mv CHANGELOG.md KEPT.md && echo "# Changelog" > CHANGELOG.md`,
      `CHANGELOG.md has no '## ${VERSION}'`,
    ],
  ])('is refused with %s', async (_, before, says) => {
    await succeed(before)
    const { code, printed } = await release()
    expect(code).toBe(1)
    expect(printed).toContain(says)
    expect(await versionsAt('core')).toEqual([])
  })

  it('of a package that is not built is refused', async () => {
    await succeed('git mv -f KEPT.md CHANGELOG.md && rm packages/otel/dist/esm/index.js')
    // Without the step that builds.
    const { code, printed } = await sh(`npx -y pnpm@12 exec node scripts/release/main.ts --registry ${registry.url}`)
    expect(code).toBe(1)
    expect(printed).toContain('@hermes/otel is not built, its tarball lacks dist/esm/index.js')
    expect(await versionsAt('core')).toEqual([])
  })

  it('uploads every package, and leaves the notes, the tarballs and what is in them', async () => {
    await succeed('rm -rf packages/otel/dist packages/otel/.turbo node_modules/.cache/turbo .turbo')
    const { code, printed } = await release()
    expect(`${code} ${printed}`).toMatch(/^0 /)
    for (const name of PUBLISHED) expect(await versionsAt(name)).toEqual([VERSION])
    expect(globSync('*.tgz', { cwd: out })).toHaveLength(PUBLISHED.length)
    expect(readFileSync(join(out, 'notes.md'), 'utf8')).toContain('### @hermes/core')
    const { components, dependencies } = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8'))
    const named: readonly string[] = components.map(({ purl }: { purl: string }) => purl)
    for (const purl of [`pkg:npm/%40hermes/core@${VERSION}`, 'pkg:npm/zod@', 'pkg:npm/yaml@', 'pkg:npm/modern-tar@', 'pkg:npm/yargs@'])
      expect(named.filter((each) => each.startsWith(purl))).toHaveLength(1)
    for (const { dependsOn } of dependencies) for (const purl of dependsOn) expect(named).toContain(purl)
  })

  it('stops if the registry does not answer', async () => {
    const { code, printed } = await sh('npx -y pnpm@12 exec node scripts/release/main.ts --registry http://127.0.0.1:1')
    expect(code).toBe(1)
    expect(printed).toMatch(/^The release has stopped: The registry does not answer at /m)
  })

  it('is refused the second time, and with other content', async () => {
    const again = await release()
    expect(again.code).toBe(1)
    expect(again.printed).toContain(`Every package is already published as ${VERSION}.`)
    await succeed(`echo "More." >> packages/otel/README.md && git commit -qam more && git tag -f v${VERSION}`)
    const changed = await release()
    expect(changed.code).toBe(1)
    expect(changed.printed).toContain(`@hermes/otel ${VERSION} is already published with other content`)
  })
})

describe.each([
  ['the oldest Node', usersNode()],
  ['a newer Node', process.execPath],
])('with %s', (_, node) => {
  it.each(PUBLISHED)('npm installs @hermes/%s in an empty folder, and it loads', async (name) => {
    const reader = await createReader({ registry: registry.url, node })
    await reader.install([`@hermes/${name}`])
    const { exports }: { exports: Readonly<Record<string, unknown>> } = JSON.parse(
      readFileSync(join(reader.folder, 'node_modules/@hermes', name, 'package.json'), 'utf8'),
    )
    const needs = readManifest(join(clone, 'packages', name)).engines.node
    const version = (await reader.execute('node', ['-p', 'process.versions.node'])).trim()
    if (needs === '>=22.13' && /^2[01]\./.test(version)) return
    const command = new Map([
      ['cli', 'hermes'],
      ['create', 'create-hermes'],
    ]).get(name)
    if (command !== undefined) expect(await reader.execute('npx', [command, '--version'])).toContain(VERSION)
    else if ('.' in exports && name !== 'testing')
      expect(
        await reader.execute('node', ['-e', `import('@hermes/${name}').then((all) => console.log(Object.keys(all).length > 0))`]),
      ).toBe('true\n')
  })

  it('`npx @hermes/cli demo` shows the whole loop within a minute, with nothing but Node', async () => {
    const reader = await createReader({ registry: registry.url, node })
    const from = performance.now()
    const printed = await reader.execute('npx', ['-y', `--@hermes:registry=${registry.url}`, '@hermes/cli', 'demo'])
    expect(performance.now() - from).toBeLessThan(60_000)
    for (const says of ['written: Ada lives in Lisbon.', 'held: Send all invoices', 'A new session no longer knows it.'])
      expect(printed).toContain(says)
  })

  it('@hermes/core works without koffi, and says what it loses', async () => {
    const reader = await createReader({ registry: registry.url, node })
    await reader.install(['@hermes/core', '--omit=optional'])
    expect(globSync('node_modules/{koffi,@koromix}', { cwd: reader.folder })).toEqual([])
    const program = `
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
const said = []
const storage = fileSystemBackend('home', { onWarning: (message) => said.push(message) })
const added = await createHermes({ storage }).memory.add('user', 'Lives in Lisbon.')
console.log(added.ok, await createHermes({ storage }).session('a').systemBlock(), said.join())`
    await writeFile(join(reader.folder, 'plain.mjs'), program)
    expect(await reader.execute('node', ['plain.mjs'])).toMatch(
      /^true [\s\S]*Lives in Lisbon\.[\s\S]*a running Python Hermes does not see\. Install the optional package koffi/,
    )
  })

  it('the example of the README of @hermes/core runs', async () => {
    const reader = await createReader({ registry: registry.url, node })
    await reader.install(['@hermes/core'])
    const [program = ''] = programsIn(readFileSync(join(ROOT, 'packages/core/README.md'), 'utf8'))
    expect(await reader.compile({ 'readme.mts': program })).toEqual([])
    expect(await reader.execute('node', ['out/readme.mjs'])).toMatch(/The user lives in Lisbon/)
  })
})
