/** Words for the state and the owner of a skill in lists. */
import type { Paint } from '../../terminal/terminal.ts'
import type { SkillRow } from './skill-library.ts'

const OWNERS: Readonly<Record<SkillRow['owner'], string>> = {
  agent: 'agent',
  user: 'you',
  bundled: 'bundled',
  hub: 'hub',
  shared: 'shared',
}

export const ownerWord = ({ owner, managed }: Pick<SkillRow, 'owner' | 'managed'>): string => (managed ? 'you, managed' : OWNERS[owner])

export const stateWord = ({ state, pinned, owner }: Pick<SkillRow, 'state' | 'pinned' | 'owner'>): string =>
  owner === 'shared' ? 'read-only' : pinned ? `${state}, pinned` : state

export const paintState = (cell: string, { state }: Pick<SkillRow, 'state'>, paint: Paint): string =>
  state === 'active' ? paint.green(cell) : paint.yellow(cell)
