/** Each row has a menu of statuses, so fewer rows than in other grids make the first page light. */
export const orderPageSize = 25
