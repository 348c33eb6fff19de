/** Checks the host's options when the inspector is made, so that a misspelt one is not found out by an open door or a closed one. Pure. */
import { hostNameOf, LOOPBACK_HOSTS } from './check-request.ts'

type Check = readonly [what: string, isRight: (value: unknown) => boolean]

const isFunction = (value: unknown): boolean => typeof value === 'function'
const FLAG: Check = ['true or false', (value) => typeof value === 'boolean']
const FUNCTION: Check = ['a function', isFunction]

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['write', FLAG],
  ['basePath', ["a path such as '/hermes'", (value) => typeof value === 'string' && /^\/(?:[\w.~-]+\/?)*$/.test(value)]],
  [
    'hosts',
    [
      "a list of host names such as 'app.example.com', in small letters, without scheme and port, and no wildcard",
      (value) =>
        Array.isArray(value) && value.every((host) => typeof host === 'string' && !host.includes('*') && hostNameOf(host) === host),
    ],
  ],
  ['access', FUNCTION],
  ['label', ['a text', (value) => typeof value === 'string']],
  ['createSecret', FUNCTION],
])

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 80)

/** Throws a TypeError that names the option and says what it takes. */
export const checkOptions = (options: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(options)) {
    const check = CHECKS.get(name)
    if (!check)
      throw new TypeError(`hermesInspector has no option '${name.slice(0, 80)}'. Its options are ${[...CHECKS.keys()].join(', ')}.`)
    const [what, isRight] = check
    if (value !== undefined && !isRight(value)) throw new TypeError(`'${name}' of hermesInspector takes ${what}, not ${shown(value)}.`)
  }
  const hosts: unknown = options['hosts'] ?? []
  const open = Array.isArray(hosts) ? hosts.find((host) => !LOOPBACK_HOSTS.includes(host)) : undefined
  if (open === undefined || options['access'] !== undefined) return
  throw new TypeError(`The inspector at '${open}' needs your own sign-in: pass 'access', which decides about every request.`)
}

/** Throws a TypeError unless it is one home, or the homes of a server. */
export const checkTarget = (target: unknown): void => {
  const has = (method: string): boolean => isFunction(Reflect.get(Object(target), method))
  if (has('for') || has('memoryStore')) return
  throw new TypeError('hermesInspector takes what createHermes or createHermesHomes returned.')
}
