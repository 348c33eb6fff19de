import { expect, it } from 'vitest'
import { runHermes, temporaryHome } from './run-hermes.ts'

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
