/** The check of connected coding agents, and of the newest review in one. */
import { connectionState, HOST_SETUPS, lastReview } from '@hermes/coding-agents'
import { relativeTime } from '../../terminal/format.ts'
import { type Examine, fine, problem, warning } from './doctor-view.ts'

export const checkAgents: Examine = async ({ home, clock }) => {
  try {
    const states = await Promise.all(HOST_SETUPS.map(async (setup) => ({ ...setup, state: await connectionState(home, setup) })))
    const connected = states.filter(({ state }) => state !== 'not-connected')
    if (connected.length === 0) return fine('agents', 'no coding agent is connected')
    const titles = connected.map(({ title }) => title).join(', ')
    const changed = connected.find(({ state }) => state === 'changed')
    if (changed)
      return warning('agents', `${changed.title} has an older or changed version of Hermes`, {
        fix: `Connect it again: hermes connect ${changed.name}`,
      })
    const review = await lastReview(home)
    if (review?.failure !== undefined)
      return problem('agents', `${titles} connected; the review ${relativeTime(review.at, clock())} failed: ${review.failure}`, {
        fix: 'Reviews ask the agent itself: see that it is logged in. They are tried again by themselves.',
      })
    return fine('agents', `${titles} connected${review ? `, reviewed ${relativeTime(review.at, clock())}` : ''}`)
  } catch (cause) {
    return problem('agents', `the connections of coding agents cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
