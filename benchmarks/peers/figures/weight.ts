/** What an app takes on with a peer: megabytes and packages as installed, and the time of an import in a new process. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { adapterFolder, HOME } from '../harness/build.ts'
import { type Context, forEach, type Outcomes, rounds } from '../harness/context.ts'
import { type Times, timesOf } from '../harness/numbers.ts'
import { peersOf, whyNot } from '../peers.ts'
import { megabytes, startOnce } from './start.ts'

const ROUNDS = 5

export interface Weight {
  /** Everything that is installed for the agent, the framework included. */
  readonly packages: number
  readonly megabytes: number
  /** Milliseconds to import what the memory alone needs, and what the whole agent needs; Node's own start taken off. */
  readonly importStore?: Times
  readonly importChat?: Times
}

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? 0 : await sizeOf(path)
    return entry.isFile() ? (await stat(path)).size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Where a package of this name is found from a folder, as Node looks for it. */
const locate = async (name: string, from: string): Promise<string | undefined> => {
  for (const folder of createRequire(join(from, 'x.js')).resolve.paths(name) ?? []) {
    const found = await realpath(join(folder, name)).catch(() => undefined)
    if (found?.startsWith(HOME)) return found
  }
  return undefined
}

/** All packages that these need, peers and optional ones included if they are installed. */
const closure = async (folder: string): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  const visit = async (name: string, from: string): Promise<void> => {
    const path = await locate(name, from)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const manifest = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) await visit(each, path)
  }
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const ours = await readdir(join(folder, 'node_modules/@hermes')).catch(() => [])
  for (const name of [...Object.keys(dependencies), ...ours.map((each) => `@hermes/${each}`)]) await visit(name, folder)
  return found
}

export const versionOf = async (peer: string, name: string): Promise<string> => {
  const path = await locate(name, adapterFolder(peer))
  if (path === undefined) throw new TypeError(`${name} is not installed for ${peer}: run npx -y pnpm@12 install in ${HOME}.`)
  return JSON.parse(await readFile(join(path, 'package.json'), 'utf8')).version
}

const difference = (times: readonly number[], bare: number): Times => timesOf(times.map((time) => Math.max(0, time - bare)))

export const measureWeight = async (context: Context): Promise<Outcomes<Weight>> => {
  const peers = peersOf('weight', context.peers)
  const samples = new Map<string, number[]>()
  const one = async (key: string, args: readonly string[]): Promise<void> => {
    const { took } = await startOnce(args, context)
    samples.set(key, [...(samples.get(key) ?? []), took])
  }
  for (let at = 0; at < rounds(context, ROUNDS); at++) {
    await one('', [])
    for (const peer of peers) {
      if (whyNot(peer, 'start') === undefined) await one(`${peer.name} store`, [peer.name, 'store'])
      if (whyNot(peer, 'overhead') === undefined) await one(`${peer.name} chat`, [peer.name, 'chat'])
    }
  }
  const bare = timesOf(samples.get('') ?? []).p50
  return forEach(peers, async ({ name }) => {
    const paths = [...(await closure(adapterFolder(name)))]
    const sizes = await Promise.all(paths.map(sizeOf))
    const store = samples.get(`${name} store`)
    const chat = samples.get(`${name} chat`)
    return {
      packages: paths.length,
      megabytes: megabytes(sizes.reduce((sum, size) => sum + size, 0)),
      ...(store && { importStore: difference(store, bare) }),
      ...(chat && { importChat: difference(chat, bare) }),
    }
  })
}
