/** The embedded database's name in the data directory. */
export const DATABASE_FILE = 'inkling.db'
