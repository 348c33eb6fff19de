/** `hermes memory show`: the entries with their sources, and how full the stores are. */
import { ok } from '@hermes/core'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { MEMORY_STORES, readStores, renderStore, renderTeamNotes, storesOf } from './memory-view.ts'
import { inProject, PROJECT, readProjects, readTeamNotes } from './open-memory.ts'

const MOST_NAMES = 5

const renderProjects = (projects: readonly string[], terminal: Terminal): string => {
  if (projects.length === 0) return ''
  const names = projects.slice(0, MOST_NAMES).map(oneLine).join(', ')
  const more = projects.length > MOST_NAMES ? `, … ('hermes memory projects' lists all)` : ''
  return hint(`Notes on ${counted(projects.length, 'project')}: ${names}${more}. --project <name> shows those on one.`, terminal)
}

export const showCommand = defineCommand({
  examples: [
    ['hermes memory show', 'both stores'],
    ['hermes memory show user --long', 'only what the agent knows about you, and since when'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('store', {
        choices: MEMORY_STORES,
        describe: "memory: the agent's own notes; user: what it knows about you; project: notes on the project of --project",
      })
      .option('project', PROJECT)
      .option('long', { alias: 'l', type: 'boolean', describe: 'also show when each entry was first seen and last confirmed' }),
  run: async ({ store, project, long = false }, from) => {
    const context = inProject(from, project)
    const { stores, problems } = await readStores(context, store === undefined ? storesOf(context) : [store])
    const [first, ...more] = problems
    for (const { message } of more) context.warn(message)
    const look = { now: context.clock(), long }
    // Without a project, the others are named.
    const projects = project === undefined && store === undefined ? await readProjects(context) : ok([])
    if (!projects.ok) context.warn(projects.error.message)
    const others = projects.ok ? projects.value : []
    const shared = store === undefined || store === 'memory' ? await readTeamNotes(context) : []
    return {
      value: { stores, ...(shared.length > 0 ? { shared } : {}), ...(others.length > 0 ? { projects: others } : {}) },
      text: (terminal) =>
        stores.map((view) => renderStore(view, look, terminal)).join('\n') +
        renderTeamNotes(shared, terminal) +
        renderProjects(others, terminal),
      ...(first ? failed(first) : {}),
    }
  },
})
