/** Stands for a server's own sign-in. */
export const isAdmin = async (request: Request): Promise<boolean> => request.headers.get('authorization') === 'Bearer admin'
