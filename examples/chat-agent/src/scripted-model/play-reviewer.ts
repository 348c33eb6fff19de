export const playReviewer = (_system: string, _said: readonly string[]): string => '{"proposals":[]}'
