/**
 * TypeScript 5 within this process: reading the declarations of the language and of Node takes it longer than the programs of a page, so
 * all compilations share them. Checks the programs and the declarations of `@hermes/*`, not those of other packages.
 */
import { join, relative } from 'node:path'
import ts from 'typescript-5'

const SHARED = /\/(?:typescript-5|typescript|@types\/node|undici-types)\//
const FOREIGN = /(?:^|\/)node_modules\/(?!@hermes\/)/

const shared = new Map<string, ts.SourceFile>()

const createHost = (options: ts.CompilerOptions): ts.CompilerHost => {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (path, languageVersion, ...more) => {
    if (!SHARED.test(path)) return read(path, languageVersion, ...more)
    const known = shared.get(path) ?? read(path, languageVersion, ...more)
    if (known !== undefined) shared.set(path, known)
    return known
  }
  return host
}

const failOn = (diagnostic: ts.Diagnostic): never => {
  throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'))
}

/** Compiles the programs of `tsconfig.json` in the folder. Returns the errors as `tsc` prints them, with paths relative to the folder. */
export const compileWithTypeScript5 = (folder: string): readonly string[] => {
  const configHost = { ...ts.sys, getCurrentDirectory: () => folder, onUnRecoverableConfigFileDiagnostic: failOn }
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), {}, configHost)
  if (config === undefined) throw new Error(`No tsconfig.json in ${folder}`)
  const { fileNames, options, errors } = config
  const program = ts.createProgram({ rootNames: fileNames, options, host: createHost(options), configFileParsingDiagnostics: errors })
  const files = program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileDefaultLibrary(file) && !FOREIGN.test(relative(folder, file.fileName)))
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
    ...program.emit().diagnostics,
  ]
  const format = { getCurrentDirectory: () => folder, getCanonicalFileName: (path: string) => path, getNewLine: () => '\n' }
  return ts.sortAndDeduplicateDiagnostics(found).map((each) => ts.formatDiagnostic(each, format).trim())
}
