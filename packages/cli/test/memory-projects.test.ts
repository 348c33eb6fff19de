import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHermes, temporaryHome, writeHome } from './run-hermes.ts'

const memory = (home: string, ...args: readonly string[]) => runHermes(['memory', ...args, '--home', home], { env: { COLUMNS: '100' } })

it('shows and changes the notes on a project with --project, and lists the projects', async () => {
  const home = temporaryHome()
  await memory(home, 'add', 'Of the person')
  expect((await memory(home, 'add', '--to', 'project', '--project', 'webshop', 'Orders live in Postgres')).stdout).toContain(
    'added 1 entry',
  )
  await memory(home, 'add', '--to', 'project', '--project', 'blog', 'Written in Hugo')
  expect((await memory(home, 'projects')).stdout).toMatch(/^blog\nwebshop\n/)
  const shown = (await memory(home, 'show', '--project', 'webshop')).stdout
  expect(shown).toContain('Orders live in Postgres')
  expect(shown).toContain('Of the person')
  expect(shown).not.toContain('Hugo')
  expect((await memory(home, 'show')).stdout).not.toMatch(/PROJECT|Postgres/)
  expect((await memory(home, 'pin', '--project', 'webshop', 'project:1')).stdout).toContain('Pinned')
  expect((await memory(home, 'why', '--project', 'webshop', 'Orders')).stdout).toContain('In MEMORY.md of the project')
  const removed = await memory(home, 'remove', '--project', 'webshop', 'Orders')
  const [, id = ''] = /hermes memory restore (project-\w+) --project webshop/.exec(removed.stdout) ?? []
  expect((await memory(home, 'archived', '--project', 'webshop')).stdout).toContain(id)
  expect((await memory(home, 'restore', '--project', 'webshop', id)).stdout).toContain('added 1 entry')
  const refused = await memory(home, 'add', '--to', 'project', 'x')
  expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('There is no project here')])
})

const hermes = (home: string, ...args: readonly string[]) => runHermes([...args, '--home', home], { env: { COLUMNS: '120' } })

const homeWithProjects = async () => {
  const home = temporaryHome()
  await memory(home, 'add', 'The laptop has two cores')
  for (const project of ['webshop', 'blog'])
    await memory(home, 'add', '--to', 'project', '--project', project, `The key of ${project} lies under the mat`)
  return home
}

it('names the project of each record and undo, and says where there are notes', async () => {
  const home = await homeWithProjects()
  expect((await memory(home, 'show')).stdout).toContain('Notes on 2 projects: blog, webshop. --project <name> shows those on one.')
  const listed = (await hermes(home, 'journal', 'list')).stdout
  expect(listed).toContain('add to MEMORY.md of the project webshop: The key of webshop')
  await memory(home, 'pin', '--project', 'blog', 'project:1')
  expect((await hermes(home, 'journal', 'list')).stdout).toContain('pin in MEMORY.md of the project blog: The key of blog')
  expect((await hermes(home, 'undo', '--yes')).stdout).toContain('unpin in MEMORY.md of the project blog')
  expect((await hermes(home, 'status')).stdout).toMatch(/projects +2 projects, 2 entries/)
  expect(JSON.parse((await hermes(home, 'stats', '--json')).stdout)).toMatchObject({ value: { entries: 3 } })
  const found = (await hermes(home, 'search', 'under the mat')).stdout
  expect(found).toContain('MEMORY.md of the project blog 1')
  expect(found).toContain("hermes memory why --project webshop 'The key of webshop lies under the mat'")
})

it('forgets an entry of a project, or a text in all of them, and names them', async () => {
  const home = await homeWithProjects()
  const dry = await hermes(home, 'forget', 'under the mat', '--dry-run')
  expect(dry.stdout).toMatch(/memory entries +2\n[\s\S]*also of projects +blog, webshop\n/)
  const one = await hermes(home, 'forget', '--entry', 'key of blog', '--yes')
  expect(one.stdout).toMatch(/memory entries +1\n[\s\S]*also of projects +blog\n/)
  expect((await memory(home, 'show', '--project', 'blog')).stdout).not.toContain('under the mat')
  expect((await memory(home, 'show', '--project', 'webshop')).stdout).toContain('under the mat')
  expect((await hermes(home, 'forget', 'two cores', '--yes')).stdout).not.toContain('also of projects')
})

it('checks and repairs the origins of each project, from what the journal says of that project', async () => {
  const home = await homeWithProjects()
  await memory(home, 'add', '--to', 'project', '--project', 'blog', 'Tests need a database')
  await memory(home, 'pin', '--project', 'blog', 'Tests need')
  await memory(home, 'add', '--to', 'project', '--project', 'webshop', 'Tests need a database')
  expect((await hermes(home, 'doctor')).stdout).toMatch(/5 entries, memory \d+% full, user \d+% full, blog \d+% full, webshop \d+% full/)
  for (const project of ['webshop', 'blog']) writeHome(home, { [`projects/${project}/memories/.facts.jsonl`]: '{ damaged' })
  const broken = await hermes(home, 'doctor')
  expect([broken.code, broken.stdout]).toEqual([1, expect.stringMatching(/2\s+documents\s+cannot be read[\s\S]*hermes doctor --repair/)])
  const repaired = await hermes(home, 'doctor', '--repair')
  expect(repaired.code).toBe(0)
  expect(repaired.stdout).toMatch(
    /^The origins were repaired: 2 entries from the journal\. .*'projects\/blog\/[\s\S]*repaired: 2 entries.*'projects\/webshop\//,
  )
  const pinned = async (project: string) => (await memory(home, 'show', 'project', '--project', project)).stdout.match(/pinned/g) ?? []
  expect([await pinned('blog'), await pinned('webshop')]).toEqual([['pinned'], []])
  expect(readdirSync(join(home, 'projects/blog/memories')).some((name) => name.includes('.damaged-'))).toBe(true)
  expect((await hermes(home, 'doctor', '--repair')).stdout).toMatch(/^Nothing to repair: /)
})
