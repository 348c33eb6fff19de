/**
 * Names of attributes, metrics and operations: those of the OpenTelemetry conventions, and those of Hermes for which there is no
 * convention.
 */

/** OpenTelemetry semantic conventions 1.41.1. */
export const OPERATION_NAME = 'gen_ai.operation.name'
export const PROVIDER_NAME = 'gen_ai.provider.name'
export const REQUEST_MODEL = 'gen_ai.request.model'
export const CONVERSATION_ID = 'gen_ai.conversation.id'
export const INPUT_TOKENS = 'gen_ai.usage.input_tokens'
export const CACHED_INPUT_TOKENS = 'gen_ai.usage.cache_read.input_tokens'
export const OUTPUT_TOKENS = 'gen_ai.usage.output_tokens'
export const TOKEN_TYPE = 'gen_ai.token.type'
export const ERROR_TYPE = 'error.type'
export const USER_ID = 'user.id'
export const TOKEN_USAGE = 'gen_ai.client.token.usage'
export const OPERATION_DURATION = 'gen_ai.client.operation.duration'

/** The memory operations of the GenAI conventions, which are not released yet. */
export const STORE_ID = 'gen_ai.memory.store.id'
export const RECORD_COUNT = 'gen_ai.memory.record.count'
export const CREATE_MEMORY = 'create_memory'
export const UPDATE_MEMORY = 'update_memory'
export const DELETE_MEMORY = 'delete_memory'
/** A review may create, change and remove entries, and its caller does not choose which. */
export const UPSERT_MEMORY = 'upsert_memory'

/** The conventions have no name for the curator's work. */
export const CURATE_SKILLS = 'curate_skills'

/** Bucket boundaries given by the conventions, in tokens and in seconds. */
export const TOKEN_BUCKETS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
export const SECOND_BUCKETS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
