/** Random updates on a back end and on `inMemoryBackend`: both do the same, or refuse for the same reason. */
import { inMemoryBackend, type StorageBackend } from '@hermes/core'
import type { Plan } from '@hermes/core/storage'

const PATHS = ['a', 'b', 'a/x', 'a/y', 'b/x', 'b/x/z', 'c', 'c/d/e', 'ä ö/é', 'a!', 'a0']

/** The same numbers for the same seed: xorshift. */
const numbersOf = (seed: number) => {
  let state = seed + 1
  return (most: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % most
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const randomPlan = (next: (most: number) => number, time: number): Plan<number> => {
  const path = () => PATHS[next(PATHS.length)] ?? 'a'
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: next(most) }, make)
  const content = () => {
    const kind = next(5)
    if (kind === 0) return null
    return kind === 1 ? { bytes: bytes(`run ${time}`), executable: next(2) === 0 } : bytes(`put ${time}`.repeat(next(3)))
  }
  return {
    move: some(3, () => [path(), path()] as const),
    put: Object.fromEntries(some(3, () => [path(), content()])),
    append: Object.fromEntries(some(3, () => [path(), bytes(`+${time}`)])),
    value: time,
  }
}

const outcomeOf = async (storage: StorageBackend, plan: Plan<number>): Promise<unknown> => {
  try {
    const result = await storage.update(['/'], () => plan)
    return result.ok ? result.value : result.error.code
  } catch (cause) {
    return cause instanceof TypeError ? 'TypeError' : cause
  }
}

const treeOf = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('')
  if (!listed.ok) throw listed.error
  if (listed.value.length === 0) return []
  const cut = await storage.read(listed.value.map(({ path }) => path))
  if (!cut.ok) throw cut.error
  return listed.value.map(({ path, size }) => {
    const document = cut.value.document(path)
    return `${path} ${size} ${document?.executable ?? false} ${new TextDecoder().decode(document?.bytes)}`
  })
}

/** Resolves to the outcomes, after `updates` of them; throws at the first difference. `storage`: an empty tree. */
export const sameAsInMemory = async (storage: StorageBackend, seed: number, updates: number): Promise<readonly unknown[]> => {
  const model = inMemoryBackend()
  const next = numbersOf(seed)
  const outcomes: unknown[] = []
  for (let time = 0; time < updates; time++) {
    const plan = randomPlan(next, time)
    const [mine, wanted] = [await outcomeOf(storage, plan), await outcomeOf(model, plan)]
    const [tree, wantedTree] = [await treeOf(storage), await treeOf(model)]
    const show = (outcome: unknown, found: readonly string[]) => `${String(outcome)}\n${found.join('\n')}`
    if (show(mine, tree) !== show(wanted, wantedTree))
      throw new Error(
        `seed ${seed}, update ${time}, ${JSON.stringify(plan)}:\n${show(mine, tree)}\ninstead of\n${show(wanted, wantedTree)}`,
      )
    outcomes.push(mine)
  }
  return outcomes
}
