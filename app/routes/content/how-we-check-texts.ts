/** What `/how-we-check` says about the lists. docs/screening.md has the figures behind it. */

export const checks: readonly string[] = [
  'the same ingredient or the same class of medicine twice',
  'interactions: medicines that a list names together',
  'the allergies on your record',
  'warnings on FDA labels: boxed warnings, pregnancy, age',
  'recalls and shortages, which our pharmacists see. We email you when a recall may concern what we sent you',
]

/** What a customer can read about a list of `care_lists`, in this order. */
export const listUses: Readonly<Record<string, string>> = {
  'ingredient-names': 'Which ingredients a product has',
  'ingredient-classes': 'Which class an ingredient belongs to',
  'interactions-label': 'Interactions that FDA labels name, in the label’s own words',
  'interaction-class-members': 'Which ingredients belong to a class that a label names',
  'interactions-ndfrt': 'Interactions rated Critical or Significant',
  'allergy-groups': 'Which ingredients belong to an allergy group',
  'allergy-label': 'Allergies that FDA labels name',
  'label-safety': 'Warnings of FDA labels about pregnancy and age',
  'boxed-warnings': 'Boxed warnings of FDA labels',
  'rxnorm-brands': 'Which ingredient a brand name stands for',
  recalls: 'Recalls with lot numbers',
  'recalls-2023-2025-no-lots': 'Later recalls, without lot numbers',
  shortages: 'Shortages',
  'therapeutic-equivalence': 'Products that FDA rates as equivalent',
}

export const limits: readonly string[] = [
  'A label says where it mentions another medicine. It doesn’t say how serious that is.',
  'Only the U.S. Department of Veterans Affairs list rates severity. It ends in July 2014, so it has no newer medicines.',
  'Many common medicines have no label of their own in our list. They appear only in the labels of other medicines.',
  'Some labels name a group, such as medicines that change the heart rhythm, without listing its members, so we can miss those combinations.',
  'Allergies to related medicines are in our lists only where they share a group, or where a label says so.',
  'We have no list of doses. A pharmacist checks the dose of each prescription.',
  'FDA’s list of equivalents is incomplete, and we read it only where form and strength are certain. A product without a rating can be equivalent too. Canada has no such list.',
  'Breastfeeding, body weight, food and alcohol are in none of our lists.',
  'A recall’s status is from the date of its report. In the list that came with this site, it is from July 2023. Not every report names lots. Canadian recalls are in none of our lists.',
]

/** What the licenses of the data ask us to show (db/seed/care). */
export const attributions: readonly string[] = [
  'Data: U.S. Food and Drug Administration (openFDA, Drugs@FDA, FDA Data Dashboard). Do not rely on openFDA to make decisions regarding medical care.',
  'Contains information licensed under the Open Government Licence - Canada.',
  'Interactions: National Drug File - Reference Terminology, U.S. Department of Veterans Affairs, 2014.',
  'This product uses publicly available data from the U.S. National Library of Medicine (NLM), National Institutes of Health, Department of Health and Human Services; NLM is not responsible for the product and does not endorse or recommend this or any other product.',
]
