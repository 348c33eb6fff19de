/** The memory tool's arguments, as this stand-in writes them and reads them back from the chat. */
import { z } from 'zod'
import type { MemoryRequest } from './memory-request.ts'

export const MEMORY_TOOL = 'memory'

const inputSchema = z.object({
  action: z.enum(['add', 'replace', 'remove']),
  target: z.enum(['memory', 'user']),
  content: z.string().optional(),
  old_text: z.string().optional(),
})

export type MemoryToolInput = z.infer<typeof inputSchema>

export const toMemoryToolInput = (request: Exclude<MemoryRequest, { action: 'none' }>): MemoryToolInput => ({
  action: request.action,
  target: request.target,
  ...(request.action === 'remove' ? {} : { content: request.content }),
  ...(request.action === 'add' ? {} : { old_text: request.oldText }),
})

/** Undefined: the arguments of some other tool, or of another model. */
export const readMemoryToolInput = (input: unknown): MemoryToolInput | undefined => inputSchema.safeParse(input).data
