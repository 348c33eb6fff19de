/** Checks a memory provider when a home is created: a fault in its fixed parts is a mistake of the program. Pure. */
import { OWN_TOOLS } from '../shared/own-tools.ts'
import { CONTEXT_CLOSE_TAG, sanitizeContext } from './context-fence.ts'
import type { MemoryProvider, ProviderTool } from './memory-provider.ts'

const MAX_PROMPT_BLOCK = 2_000
const MAX_TOOLS = 32
const MAX_DESCRIPTION = 4_000

const PROVIDER_NAME = /^[a-z][a-z0-9_-]{0,63}$/
const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const isData = (value: unknown): boolean => {
  try {
    return isObject(value) && typeof JSON.stringify(value) === 'string'
  } catch {
    return false
  }
}

const toolFault = (tool: unknown, index: number): string | undefined => {
  const where = `tool ${index + 1}`
  if (!isObject(tool)) return `${where} is not an object`
  const { name, description, inputSchema } = tool as Partial<Record<keyof ProviderTool, unknown>>
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) return `the name of ${where} is not 1 to 64 letters, digits, '_' and '-'`
  if (typeof description !== 'string' || description.length === 0 || description.length > MAX_DESCRIPTION)
    return `the description of tool '${name}' is not a text of 1 to ${MAX_DESCRIPTION} characters`
  if (!isObject(inputSchema) || Reflect.get(inputSchema, 'type') !== 'object' || !isData(inputSchema))
    return `the inputSchema of tool '${name}' is not a JSON schema of type 'object'`
  return undefined
}

const toolsFault = (tools: unknown): string | undefined => {
  if (tools === undefined) return undefined
  if (!Array.isArray(tools)) return 'its tools are not a list'
  if (tools.length > MAX_TOOLS) return `it has ${tools.length} tools, and ${MAX_TOOLS} is the maximum`
  const names = tools.map((tool: unknown) => (isObject(tool) ? Reflect.get(tool, 'name') : undefined))
  const clash = names.find((name) => OWN_TOOLS.includes(name))
  if (clash !== undefined) return `its tool '${clash}' has the name of one of Hermes' own tools`
  const fault = tools.map(toolFault).find((each) => each !== undefined)
  return fault ?? (new Set(names).size < names.length ? 'two of its tools have the same name' : undefined)
}

const blockFault = (block: unknown): string | undefined => {
  if (block === undefined) return undefined
  if (typeof block !== 'string') return 'its systemPromptBlock is not a text'
  if (Array.from(block).length > MAX_PROMPT_BLOCK) return `its systemPromptBlock is longer than ${MAX_PROMPT_BLOCK} characters`
  if (sanitizeContext(block) !== block) return `its systemPromptBlock contains the fence of recalled text (${CONTEXT_CLOSE_TAG})`
  return undefined
}

/** A clause such as `it has no function initialize`; undefined for a valid provider. */
export const providerFault = (provider: unknown): string | undefined => {
  if (Array.isArray(provider)) return 'it is a list: a home has at most one external provider'
  if (!isObject(provider)) return 'it is not an object'
  const { name, initialize, tools, systemPromptBlock, projects } = provider as Partial<Record<keyof MemoryProvider, unknown>>
  if (typeof name !== 'string' || !PROVIDER_NAME.test(name))
    return "its name is not 1 to 64 characters of a-z, 0-9, '-' and '_', beginning with a letter"
  if (typeof initialize !== 'function') return 'it has no function initialize'
  if (projects !== undefined && typeof projects !== 'boolean') return 'its projects is not true or false'
  return toolsFault(tools) ?? blockFault(systemPromptBlock)
}
