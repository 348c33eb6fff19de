/** `@hermes/langchain/agent`: Hermes for `createAgent` of langchain 1. */

export { type HermesMiddleware, type HermesMiddlewareOptions, hermesMiddleware } from './hermes-middleware.ts'
