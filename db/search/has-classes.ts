import { prepareQuery, type Db } from '../engine/client.ts'

const oneClass = prepareQuery((db) => db.selectFrom('careClasses').select('ingredient').limit(1))

/** Whether the list of pharmacologic classes was imported. */
export const hasClasses = async (db: Db): Promise<boolean> => (await oneClass(db, {})).length > 0
