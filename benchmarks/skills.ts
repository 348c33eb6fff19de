/** Duration of building the skill catalogue at the start of a session, cold and warm, compared with the bare system calls for the same files. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderSkillCatalog } from '../packages/core/src/skills/skill-catalog.ts'
import { SkillStore } from '../packages/core/src/skills/skill-store.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'
import type { StorageBackend } from '../packages/core/src/storage/storage-backend.ts'

const SIZES = [100, 1_000, 10_000]
const CATEGORIES = 20
const ROUNDS: Readonly<Record<number, number>> = { 100: 60, 1000: 25, 10000: 7 }
const BODY = 'A line of instructions, as long as they are.\n'.repeat(65)

const writeLibrary = (home: string, count: number): void => {
  for (let index = 0; index < count; index++) {
    const folder = join(home, `skills/category-${index % CATEGORIES}/skill-${index}`)
    mkdirSync(folder, { recursive: true })
    const frontMatter = `---\nname: skill-${index}\ndescription: Does the useful thing with number ${index}, and nothing else.\n---\n`
    writeFileSync(join(folder, 'SKILL.md'), `${frontMatter}\n# Skill ${index}\n\n${BODY}`)
  }
}

/** Stats and optionally reads every file below a folder. */
const bareWalk = (folder: string, isRead: boolean): number => {
  let files = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files += bareWalk(path, isRead)
    else {
      statSync(path)
      if (isRead) readFileSync(path)
      files++
    }
  }
  return files
}

const catalogue = async (store: SkillStore): Promise<string> => {
  const listed = await store.list()
  if (!listed.ok) throw listed.error
  return renderSkillCatalog(listed.value.skills.map((skill) => ({ ...skill, state: 'active', lastActivityAt: 0, pinned: false }))) ?? ''
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const measure = async (home: string, storage: StorageBackend, count: number): Promise<void> => {
  const warm = new SkillStore({ storage })
  const candidates: Readonly<Record<string, () => unknown>> = {
    'floor: readdir and stat': () => bareWalk(join(home, 'skills'), false),
    'floor: readdir, stat and readFile': () => bareWalk(join(home, 'skills'), true),
    'catalogue, warm: nothing was written since': () => catalogue(warm),
    'catalogue, cold: every skill is read and parsed': () => catalogue(new SkillStore({ storage })),
    'view of one skill by its name, warm': () => warm.view(`skill-${count >> 1}`),
  }
  const times = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]))
  // The candidates alternate, so that load on the machine affects them equally. The first round warms up.
  for (let round = 0; round <= (ROUNDS[count] ?? 5); round++) {
    for (const [name, candidate] of Object.entries(candidates)) {
      const start = performance.now()
      await candidate()
      if (round > 0) times.get(name)?.push(performance.now() - start)
    }
  }
  const floors = [...times.values()].map(median)
  console.log(`${count} skills in ${CATEGORIES} categories, 3 KB each`)
  for (const [name, list] of times) {
    const time = median(list)
    const floor = (name.includes('cold') ? floors[1] : floors[0]) ?? Number.NaN
    const perSkill = ((time * 1_000) / count).toFixed(1)
    console.log(
      `  ${name.padEnd(50)} ${time.toFixed(1).padStart(8)} ms   ${perSkill.padStart(6)} µs a skill   ${(time / floor).toFixed(1)} × its floor`,
    )
  }
}

/** Prints a table. */
export const run = async (): Promise<void> => {
  for (const count of SIZES) {
    const home = mkdtempSync(join(tmpdir(), 'hermes-bench-skills-'))
    try {
      writeLibrary(home, count)
      const storage = fileSystemBackend(home)
      await measure(home, storage, count)
      await storage.close()
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
