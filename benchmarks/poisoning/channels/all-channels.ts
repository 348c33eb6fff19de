import type { Channel } from './channel.ts'
import { HISTORY_CHANNELS } from './groups/history.ts'
import { HOST_REQUEST_CHANNELS } from './groups/host-request.ts'
import { MERGE_CHANNELS } from './groups/merges.ts'
import { NAMED_LIKE_OURS } from './groups/named-like-ours.ts'
import { NESTED_CHANNELS } from './groups/nested.ts'
import { OWN_CALL_CHANNELS } from './groups/own-calls.ts'
import { OWN_TOOL_CHANNELS } from './groups/own-tools.ts'
import { REMEMBERED_CHANNELS } from './groups/remembered.ts'
import { SKILL_CHANNELS } from './groups/skills.ts'
import { TOOL_CHANNELS } from './groups/tools.ts'
import { USER_MESSAGE_CHANNELS } from './groups/user-message.ts'

export const CHANNELS: readonly Channel[] = [
  ...TOOL_CHANNELS,
  ...NAMED_LIKE_OURS,
  ...OWN_TOOL_CHANNELS,
  ...SKILL_CHANNELS,
  ...NESTED_CHANNELS,
  ...HISTORY_CHANNELS,
  ...HOST_REQUEST_CHANNELS,
  ...USER_MESSAGE_CHANNELS,
  ...OWN_CALL_CHANNELS,
  ...REMEMBERED_CHANNELS,
  ...MERGE_CHANNELS,
]
