import type { DosageForm } from './catalog.ts'

/** What an illustration draws: a container, and beside it what the medicine is or where it goes. */
export type PictureKind = { container: Container; sign: Sign | null }

export type Container =
  | 'bottle'
  | 'liquid'
  | 'flip-top'
  | 'dropper'
  | 'pipette'
  | 'spray'
  | 'tube'
  | 'vial'
  | 'inhaler'
  | 'ampoules'
  | 'patch'
  | 'suppositories'
  | 'applicator'
  | 'enema'
  | 'bag'
  | 'carton'

export type Sign =
  | 'tablet'
  | 'capsule'
  | 'cup'
  | 'smear'
  | 'skin'
  | 'eye'
  | 'ear'
  | 'nose'
  | 'mouth'
  | 'tooth'

const kind = (container: Container, sign: Sign | null = null): PictureKind => ({ container, sign })

const isLiquid = (form: DosageForm | null): boolean => form === 'liquid' || form === 'syrup'
const isSemisolid = (form: DosageForm | null): boolean =>
  form === 'cream' || form === 'ointment' || form === 'gel'

/** A place with its own bottle: a liquid, a tube for what is spread, a carton for the rest. */
const forPlace = (form: DosageForm | null, container: Container, sign: Sign | null): PictureKind => {
  if (isSemisolid(form)) return kind('tube', sign)
  return kind(isLiquid(form) || form === null ? container : 'carton', sign)
}

/**
 * How a medicine is drawn, from its route as pages show it and its form. Only what is taken by
 * mouth has a tablet, a capsule or a dosing cup: a picture must not suggest swallowing anything
 * else.
 */
export function findPictureKind(route: string | null, form: DosageForm | null): PictureKind {
  switch (route ?? '') {
    case 'injection':
      return kind('vial')
    case 'inhalation':
      return kind(isLiquid(form) ? 'ampoules' : 'inhaler')
    case 'ophthalmic':
      return forPlace(form, 'dropper', 'eye')
    case 'otic':
      return forPlace(form, 'pipette', 'ear')
    case 'nasal':
      return forPlace(form === 'inhaler' ? null : form, 'spray', 'nose')
    case 'dental':
      return forPlace(form, 'flip-top', 'tooth')
    case 'buccal or sublingual':
      return form === null ? kind('carton', 'mouth') : forPlace(form, 'spray', 'mouth')
    case 'vaginal':
      return kind(isLiquid(form) ? 'flip-top' : 'applicator')
    case 'rectal':
      return form === 'suppository' ? kind('suppositories') : forPlace(form, 'enema', null)
    case 'urethral':
      return forPlace(form, 'carton', null)
    case 'dialysis':
    case 'irrigation':
      return kind('bag')
    case 'transdermal':
      if (form === 'patch' || form === null) return kind('patch')
      return isSemisolid(form) ? kind('tube', 'smear') : forPlace(form, 'flip-top', 'skin')
    case 'topical':
      if (form === 'patch') return kind('patch')
      return isSemisolid(form) ? kind('tube', 'smear') : forPlace(form, 'flip-top', 'skin')
    case 'oral':
      return isLiquid(form) ? kind('liquid', 'cup') : swallowed(form)
    // Another route, or none stated: what the form alone says.
    default:
      return isSemisolid(form) ? kind('tube', 'smear') : swallowed(form)
  }
}

function swallowed(form: DosageForm | null): PictureKind {
  switch (form) {
    case 'tablet':
    case 'capsule':
      return kind('bottle', form)
    case 'liquid':
    case 'syrup':
      return kind('liquid')
    case 'injection':
      return kind('vial')
    case 'inhaler':
      return kind('inhaler')
    case 'patch':
      return kind('patch')
    case 'suppository':
      return kind('suppositories')
    case 'cream':
    case 'ointment':
    case 'gel':
      return kind('tube')
    case null:
      return kind('bottle')
  }
}
