/** The names of the agent's own tools, without a prefix. */
export const OWN_TOOLS: readonly string[] = ['memory', 'skills_list', 'skill_view', 'skill_manage']
