/** Finds out which framework an app uses and how it installs packages. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FRAMEWORKS, type Framework } from './frameworks.ts'

export interface DetectedApp {
  /** Absolute path; undefined if there is none. */
  readonly packageJson: string | undefined
  readonly framework: (Framework & { readonly version: string }) | undefined
  /** A framework that is there in a version that is too old. */
  readonly tooOld: { readonly dependency: string; readonly version: string; readonly since: number } | undefined
  /** `npm install`, `pnpm add`, … */
  readonly install: string
}

type Dependencies = Readonly<Record<string, string>>

const isText = (value: unknown): value is string => typeof value === 'string'

/** Undefined if there is no package.json or if it is not JSON. */
const readDependencies = async (file: string): Promise<Dependencies | undefined> => {
  try {
    const parsed = Object(JSON.parse(await readFile(file, 'utf8')))
    const all = ['peerDependencies', 'devDependencies', 'dependencies'].flatMap((key) => Object.entries(Object(Reflect.get(parsed, key))))
    return Object.fromEntries(all.filter((entry): entry is [string, string] => isText(entry[1])))
  } catch {
    return undefined
  }
}

/** The first number of a range such as `^6.0.1`; undefined for `latest` or `workspace:*`. */
const majorOf = (range: string): number | undefined => {
  const [digits] = /\d+/.exec(range) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const MANAGERS: Readonly<Record<string, string>> = { 'pnpm-lock.yaml': 'pnpm add', 'yarn.lock': 'yarn add', 'bun.lock': 'bun add' }

/** The lock file may be in a folder above, for a workspace. */
const installWord = async (folder: string): Promise<string> => {
  const names: readonly string[] = await readdir(folder).catch(() => [])
  const found = names.find((name) => Object.hasOwn(MANAGERS, name))
  if (found !== undefined) return MANAGERS[found] ?? 'npm install'
  const isTop = dirname(folder) === folder || names.includes('.git') || names.includes('package-lock.json')
  return isTop ? 'npm install' : installWord(dirname(folder))
}

const fits = (framework: (typeof FRAMEWORKS)[number], dependencies: Dependencies): boolean =>
  Object.hasOwn(dependencies, framework.dependency) && (framework.also === undefined || Object.hasOwn(dependencies, framework.also))

/** `folder`: absolute. */
export const detectApp = async (folder: string): Promise<DetectedApp> => {
  const packageJson = join(folder, 'package.json')
  const dependencies = await readDependencies(packageJson)
  const install = await installWord(folder)
  if (!dependencies) return { packageJson: undefined, framework: undefined, tooOld: undefined, install }
  const versionOf = ({ dependency }: Framework): string => dependencies[dependency] ?? ''
  const there = FRAMEWORKS.filter((framework) => fits(framework, dependencies))
  const isNew = (framework: Framework): boolean => (majorOf(versionOf(framework)) ?? framework.since) >= framework.since
  const framework = there.find(isNew)
  const old = framework ? undefined : there[0]
  return {
    packageJson,
    framework: framework && { ...framework, version: versionOf(framework) },
    tooOld: old && { dependency: old.dependency, version: versionOf(old), since: old.since },
    install,
  }
}
