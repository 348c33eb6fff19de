/** Words for the state and the owner of a skill in lists. */
import type { Paint } from '../../terminal/terminal.ts'
import type { OwnedSkillRow } from './skill-library.ts'

const OWNERS: Readonly<Record<OwnedSkillRow['owner'], string>> = {
  agent: 'agent',
  user: 'you',
  bundled: 'bundled',
  hub: 'hub',
  shared: 'shared',
}

export const ownerWord = ({ owner, managed }: Pick<OwnedSkillRow, 'owner' | 'managed'>): string =>
  managed ? 'you, managed' : OWNERS[owner]

export const stateWord = ({ state, pinned, owner }: Pick<OwnedSkillRow, 'state' | 'pinned' | 'owner'>): string =>
  owner === 'shared' ? 'read-only' : pinned ? `${state}, pinned` : state

export const paintState = (cell: string, { state }: Pick<OwnedSkillRow, 'state'>, paint: Paint): string =>
  state === 'active' ? paint.green(cell) : paint.yellow(cell)
