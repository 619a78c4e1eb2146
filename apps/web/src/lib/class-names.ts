import { clsx, type ClassValue } from "clsx";

/** The classes that apply, in one string. */
export const cn = (...classes: readonly ClassValue[]): string => clsx(classes);
