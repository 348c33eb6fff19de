/** One valid proposal through gate, store and journal: the shared path of the reviewer and of the agent's own tool call. */
export {}
