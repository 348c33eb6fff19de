import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadProvider } from '../src/provider/load-provider.ts'

const PROVIDER = "export default { name: 'mine', initialize: () => ({}) }\n"
const FACTORY = `export default async ({ home, options }) => ({ name: 'made', systemPromptBlock: JSON.stringify({ home, options }), initialize: () => ({}) })\n`

const homeWith = (files: Readonly<Record<string, string>>): string => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-provider-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  for (const [path, text] of Object.entries({ 'config.yaml': 'memory: {}\n', ...files })) {
    mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, path), text, { mode: 0o600 })
  }
  return home
}

const packaged = (name: string, code: string, manifest: object = { exports: { import: './index.js' } }) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', type: 'module', ...manifest }),
  [`node_modules/${name}/index.js`]: code,
})

describe('loadProvider', () => {
  it.each([undefined, '', '  '])('loads nothing for %j', async (provider) => {
    const settings = provider === undefined ? {} : { provider }
    expect(await loadProvider(settings, { home: '/no/such/home' })).toEqual({})
  })

  it('imports a file of the home, and a function with the options', async () => {
    const home = homeWith({ 'providers/mine.mjs': PROVIDER, 'made.mjs': FACTORY })
    expect(await loadProvider({ provider: './providers/mine.mjs' }, { home })).toMatchObject({ provider: { name: 'mine' } })
    expect(await loadProvider({ provider: join(home, 'providers/mine.mjs') }, { home })).toMatchObject({ provider: { name: 'mine' } })
    const { provider, warning } = await loadProvider({ provider: './made.mjs', providerOptions: { retain_days: 9 } }, { home })
    expect(warning).toBeUndefined()
    expect(JSON.parse(provider?.systemPromptBlock ?? '')).toEqual({ home, options: { retain_days: 9 } })
  })

  it('imports a package of the home before one beside the program, also one for import alone or in CommonJS', async () => {
    const app = homeWith({ ...packaged('both', "export default { name: 'app', initialize() {} }"), ...packaged('@team/own', PROVIDER) })
    const compiled = "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { name: 'old', initialize() {} }"
    const home = homeWith({
      ...packaged('both', "export default { name: 'home', initialize() {} }"),
      ...packaged('old-style', compiled, { type: 'commonjs', main: 'index.js' }),
    })
    const beside = [pathToFileURL(join(app, 'main.js')).href]
    expect(await loadProvider({ provider: 'both' }, { home, beside })).toMatchObject({ provider: { name: 'home' } })
    expect(await loadProvider({ provider: '@team/own' }, { home, beside })).toMatchObject({ provider: { name: 'mine' } })
    expect(await loadProvider({ provider: 'old-style' }, { home, beside })).toMatchObject({ provider: { name: 'old' } })
  })

  it('never runs a package of the working directory', async () => {
    const repository = homeWith(packaged('honcho', "globalThis.ran = true\nexport default { name: 'evil', initialize() {} }"))
    const before = process.cwd()
    process.chdir(repository)
    onTestFinished(() => process.chdir(before))
    expect(await loadProvider({ provider: 'honcho' }, { home: homeWith({}) })).toMatchObject({
      warning: expect.stringContaining("no package 'honcho' is installed"),
    })
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined()
  })

  it.each([
    ['mem0', 'A plugin of Python Hermes works there alone.'],
    ['recall', "npm install --prefix '"],
    ['recal', "Did you mean 'recall'?"],
    ['reccall', "Did you mean 'recall'?"],
    ['@hermes/recal', "Did you mean 'recall'?"],
    ['@team/memory', "Install it: npm install --prefix '"],
    ['@hermes/core/../x', 'neither the name of a package nor a path'],
    ['own-package/../../escape.mjs', 'neither the name of a package nor a path'],
    ['https://example.com/x.mjs', 'neither the name of a package nor a path'],
    ['data:text/javascript,1', 'neither the name of a package nor a path'],
    ['./missing.mjs', 'there is no file'],
    ['./folder', 'is not a file'],
    ['./throws.mjs', 'could not be loaded: no key.'],
    ['./syntax.mjs', 'could not be loaded'],
    ['./empty.mjs', 'it has no default export.'],
    ['./badly-named.mjs', 'its default export is no MemoryProvider: its name is not'],
    ['./several.mjs', 'it is a list: a home has at most one external provider'],
    ['./shadows.mjs', "its tool 'memory' has the name of one of Hermes' own tools"],
    ['./fails.mjs', 'its default export failed: no key.'],
    ['./returns-nothing.mjs', 'what its default export returned is no MemoryProvider: it is not an object'],
    ['broken', 'its package is broken'],
  ])('goes on without %j, and says why', async (provider, why) => {
    const home = homeWith({
      'folder/index.js': PROVIDER,
      'throws.mjs': "throw new Error('no key.')",
      'syntax.mjs': 'export default {',
      'empty.mjs': 'export const provider = 1',
      'badly-named.mjs': "export default { name: 'My Provider', initialize() {} }",
      'several.mjs': "export default [{ name: 'a', initialize() {} }]",
      'shadows.mjs':
        "export default { name: 'a', initialize() {}, tools: [{ name: 'memory', description: 'x', inputSchema: { type: 'object' } }] }",
      'fails.mjs': "export default () => { throw new Error('no key') }",
      'returns-nothing.mjs': 'export default () => {}',
      ...packaged('broken', PROVIDER, { exports: { './other': './index.js' } }),
    })
    const beside = [pathToFileURL(join(home, 'main.js')).href]
    const loaded = await loadProvider({ provider }, { home, beside })
    expect(loaded).toEqual({ warning: expect.stringContaining(`The memory provider '${provider}' of config.yaml is not used: `) })
    expect(loaded.warning).toContain(why)
  })

  it('does not wait for a module that does not end loading', async () => {
    const home = homeWith({ 'hangs.mjs': 'await new Promise((resolve) => setTimeout(resolve, 20_000))\nexport default 1' })
    expect(await loadProvider({ provider: './hangs.mjs' }, { home, limitMs: 100 })).toMatchObject({
      warning: expect.stringContaining('within 0.1 seconds'),
    })
  })

  it.runIf(process.getuid)(
    'refuses code that others can change: config.yaml, the file that is named, or the folder of either',
    async () => {
      for (const [open, mode] of [
        ['config.yaml', 0o620],
        ['.', 0o777],
        ['providers/mine.mjs', 0o602],
        ['providers', 0o770],
        ['linked', 0o777],
      ] as const) {
        const home = homeWith({ 'providers/mine.mjs': `globalThis.ranToo = true\n${PROVIDER}`, 'linked/real.mjs': PROVIDER })
        const provider = open === 'linked' ? './link.mjs' : './providers/mine.mjs'
        symlinkSync('linked/real.mjs', join(home, 'link.mjs'))
        chmodSync(join(home, open), mode)
        const loaded = await loadProvider({ provider }, { home })
        expect(loaded).toEqual({ warning: expect.stringMatching(/other users may write to .* Run: chmod go-w '/) })
        expect(Reflect.get(globalThis, 'ranToo')).toBeUndefined()
        chmodSync(join(home, open), mode & ~0o022)
        expect(await loadProvider({ provider: './link.mjs' }, { home })).toMatchObject({ provider: { name: 'mine' } })
      }
    },
  )

  it.runIf(process.getuid?.() === 0)('refuses a config.yaml of another user', async () => {
    const home = homeWith({ 'mine.mjs': PROVIDER })
    chownSync(join(home, 'config.yaml'), 12_345, 12_345)
    const { warning } = await loadProvider({ provider: './mine.mjs' }, { home })
    expect(warning).toMatch(/config\.yaml' belongs to another user.* Run: chown 0 '/)
  })
})
