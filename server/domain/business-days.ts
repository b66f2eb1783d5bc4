/** The day some business days later; Saturdays and Sundays do not count. In UTC. */
export function addBusinessDays(from: Date, days: number): Date {
  const day = new Date(from)
  for (let left = days; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1)
    if (day.getUTCDay() % 6 !== 0) left--
  }
  return day
}
