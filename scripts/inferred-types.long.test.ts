/** That an app with `declaration: true` can export what it gets from a package without naming its type: TypeScript then needs a public name for it. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageEntries } from './package-entries.ts'

const CORE = fileURLToPath(new URL('../packages/core', import.meta.url))
const LANGCHAIN = fileURLToPath(new URL('../packages/langchain', import.meta.url))

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  declaration: true,
  skipLibCheck: true,
  types: [],
}

let app = ''

const host = ts.createCompilerHost(OPTIONS)
const readSource = host.getSourceFile
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Parses the files of packages once for all programs. */
host.getSourceFile = (path, ...more) => {
  if (!path.includes('/node_modules/')) return readSource(path, ...more)
  if (!parsed.has(path)) parsed.set(path, readSource(path, ...more))
  return parsed.get(path)
}

beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'hermes-inferred-'))
  for (const [name, folder] of Object.entries({ core: CORE, langchain: LANGCHAIN })) {
    const copy = join(app, 'node_modules/@hermes', name)
    mkdirSync(copy, { recursive: true })
    for (const part of ['package.json', 'dist']) cpSync(join(folder, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(LANGCHAIN, 'node_modules/@langchain'), join(app, 'node_modules/@langchain'))
})

afterAll(() => rmSync(app, { recursive: true, force: true }))

const compile = (file: string, text: string): { readonly program: ts.Program; readonly source: ts.SourceFile } => {
  const path = join(app, file)
  writeFileSync(path, text)
  const program = ts.createProgram([path], OPTIONS, host)
  const source = program.getSourceFile(path)
  if (source === undefined) throw new Error(`'${path}' was not read.`)
  return { program, source }
}

/** TypeScript never names a unique symbol for an app. */
const ANSWERS_A_SYMBOL = 'checkChangeResult'

/** Generic functions, which `Parameters` cannot call. */
const BY_HAND: Readonly<Record<string, string>> = { everyGate: '() => everyGate(scoreThresholdGate(0.7), evidenceGate())' }

/** What an app can get from a value of the type: the answer of each method, and the objects that have methods themselves. Data is not taken apart. */
const partsOf = (checker: ts.TypeChecker, type: ts.Type, name: string): readonly string[] => {
  const parts = checker
    .getPropertiesOfType(type)
    .filter((part) => /^[a-z]\w*$/i.test(part.getName()) && !(part.flags & ts.SymbolFlags.Prototype))
  const isCalled = (part: ts.Symbol): boolean => checker.getTypeOfSymbol(part).getCallSignatures().length > 0
  if (/(?:Options|Deps)$/.test(name) || !parts.some(isCalled)) return []
  return parts.map((part) => {
    const value = `(null as unknown as ${name}).${part.getName()}`
    const made = isCalled(part) ? `(...given: Parameters<${name}['${part.getName()}']>) => ${value}(...given)` : value
    return `export const ${name}_${part.getName()} = ${made}`
  })
}

/** A module that exports the answers of every function and every method of an entry. */
const exportsOf = (specifier: string, file: string): string => {
  const { program, source } = compile(file, `export * from '${specifier}'\n`)
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(source)
  const lines = (module ? checker.getExportsOfModule(module) : []).flatMap((symbol) => {
    const name = symbol.getName()
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    if (target.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class))
      return [`import type { ${name} } from '${specifier}'`, ...partsOf(checker, checker.getDeclaredTypeOfSymbol(target), name)]
    const calls = target.flags & ts.SymbolFlags.Value ? checker.getTypeOfSymbol(target).getCallSignatures() : []
    if (calls.length === 0 || name === ANSWERS_A_SYMBOL) return []
    return [
      `import { ${name} } from '${specifier}'`,
      `export const called_${name} = ${BY_HAND[name] ?? `(...given: Parameters<typeof ${name}>) => ${name}(...given)`}`,
    ]
  })
  return `${lines.join('\n')}\n`
}

const failuresOf = (file: string, text: string): readonly string[] => {
  const { program } = compile(file, text)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: at, start = 0 }) => {
    const line = at?.text.slice(at.text.lastIndexOf('\n', start) + 1).split('\n')[0]
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

// The file system has no types of its own but options.
const entries = packageEntries(CORE).flatMap(({ specifier }) => (specifier.endsWith('file-system') ? [] : [specifier]))

it.each(entries)('%s: what its functions answer has a public name', (specifier) => {
  const file = `${specifier.replaceAll(/\W+/g, '-')}.mts`
  expect(failuresOf(file, exportsOf(specifier, file))).toEqual([])
})

it('@hermes/langchain: a wrapped chat model has a public type', () => {
  const text = `
  import { ChatOpenAI } from '@langchain/openai'
  import { createHermes, inMemoryBackend } from '@hermes/core'
  import { withHermes } from '@hermes/langchain'
  export const model = withHermes(new ChatOpenAI({ model: 'any' }), createHermes({ storage: inMemoryBackend() }))
  `
  expect(failuresOf('wrapped.mts', text)).toEqual([])
})
