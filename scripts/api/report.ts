/**
 * The public API of each entry of the published packages as text, from their built declarations: every name with its type, without comments. What such a type names and
 * the package does not export belongs to it too, and follows.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript-5'
import { PUBLISHED } from '../support/published.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')

interface Entry {
  /** Folder of the package. */
  readonly folder: string
  /** The specifier in an import statement. */
  readonly specifier: string
  /** The file with its declarations. */
  readonly types: string
}

export interface ApiReport {
  readonly path: string
  readonly text: string
}

const typesOf = (target: unknown): string | undefined => {
  if (typeof target !== 'object' || target === null) return undefined
  const { types, import: module } = target as { types?: unknown; import?: unknown }
  return typeof types === 'string' ? types : typesOf(module)
}

const entriesOf = (name: string): readonly Entry[] => {
  const folder = join(PACKAGES, name)
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const types = typesOf(target)
    if (types === undefined) return []
    const path = join(folder, types)
    if (!existsSync(path)) throw new Error(`There is no '${path}': run 'pnpm build' first.`)
    return [{ folder, specifier: `@hermes/${name}${subpath.slice(1)}`, types: path }]
  })
}

/** The statement of a declaration: that of a variable is around it. */
const statementOf = (declaration: ts.Declaration): ts.Node =>
  ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration

const printer = ts.createPrinter({ removeComments: true })

const textOf = (declaration: ts.Declaration): string =>
  printer
    .printNode(ts.EmitHint.Unspecified, statementOf(declaration), declaration.getSourceFile())
    .replace(/^(?:export )?(?:declare )?/, '')
    .replace(/\n {4,}/g, (indent) => `\n${' '.repeat((indent.length - 1) / 2)}`)

class Reporter {
  readonly #checker: ts.TypeChecker
  readonly #program: ts.Program

  constructor(entries: readonly Entry[]) {
    this.#program = ts.createProgram({
      rootNames: entries.map(({ types }) => types),
      options: {
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        strict: true,
        noEmit: true,
        types: ['node'],
      },
    })
    this.#checker = this.#program.getTypeChecker()
  }

  #target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  exportsOf({ types }: Entry): readonly { readonly name: string; readonly symbol: ts.Symbol }[] {
    const file = this.#program.getSourceFile(types)
    const module = file && this.#checker.getSymbolAtLocation(file)
    if (module === undefined) throw new Error(`'${types}' exports nothing.`)
    return this.#checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: symbol.name, symbol: this.#target(symbol) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The declarations of a symbol in the package; none if it is of another one. */
  #ownDeclarations(symbol: ts.Symbol, folder: string): readonly ts.Declaration[] {
    return (symbol.declarations ?? []).filter(
      (each) => each.getSourceFile().fileName.startsWith(`${folder}/dist/`) && !ts.isTypeParameterDeclaration(each),
    )
  }

  /** What a declaration names at the top of files of the package. */
  #namedIn(declaration: ts.Declaration, folder: string): readonly ts.Symbol[] {
    const named: ts.Symbol[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) {
        const symbol = this.#checker.getSymbolAtLocation(node)
        const target = symbol && this.#target(symbol)
        if (target && this.#ownDeclarations(target, folder).some((each) => ts.isSourceFile(statementOf(each).parent))) named.push(target)
      }
      ts.forEachChild(node, visit)
    }
    visit(statementOf(declaration))
    return named
  }

  /** `exported`: what any entry of the package exports. */
  report(entry: Entry, exported: ReadonlySet<ts.Symbol>): ApiReport {
    const { folder, specifier } = entry
    const names = this.exportsOf(entry)
    const hidden = new Set<ts.Symbol>()
    const follow = (symbol: ts.Symbol): void => {
      for (const declaration of this.#ownDeclarations(symbol, folder))
        for (const named of this.#namedIn(declaration, folder)) {
          if (exported.has(named) || hidden.has(named)) continue
          hidden.add(named)
          follow(named)
        }
    }
    for (const { symbol } of names) follow(symbol)
    const show = (name: string, symbol: ts.Symbol): string => {
      const own = this.#ownDeclarations(symbol, folder)
      const texts = [...new Set(own.map(textOf))]
      if (texts.length === 0) return `export { ${name} } // of another package`
      const renamed = symbol.name === name ? '' : `// exported as ${name}\n`
      return renamed + texts.join('\n')
    }
    const block = (texts: readonly string[]): string => `\`\`\`ts\n${texts.join('\n\n')}\n\`\`\`\n`
    const others = [...hidden].sort((a, b) => (a.name < b.name ? -1 : 1)).map((symbol) => show(symbol.name, symbol))
    const rest = others.length === 0 ? '' : `\n## Named by these types, and not exported\n\n${block(others)}`
    const file = specifier.split('/')[2] ?? 'index'
    return {
      path: join(folder, 'api', `${file}.api.md`),
      text: `# ${specifier}\n\nWritten by \`pnpm api --write\`.\n\n${block(names.map(({ name, symbol }) => show(name, symbol)))}${rest}`,
    }
  }
}

/** The reports of all packages, which must be built. */
export const apiReports = (): readonly ApiReport[] => {
  const all = PUBLISHED.map(entriesOf)
  const reporter = new Reporter(all.flat())
  return all.flatMap((entries) => {
    const exported = new Set(entries.flatMap((entry) => reporter.exportsOf(entry).map(({ symbol }) => symbol)))
    return entries.map((entry) => reporter.report(entry, exported))
  })
}

/** What changed, for a message: the names of the files in the repository. */
export const changedReports = (reports: readonly ApiReport[]): readonly string[] =>
  reports
    .filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
    .map(({ path }) => relative(join(PACKAGES, '..'), path))
