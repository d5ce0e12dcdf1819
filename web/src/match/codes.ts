/** The join codes of private matches that this browser knows. */
import { kept } from "../ui/kept";

export const codes = kept<string>("shiplog.codes");
