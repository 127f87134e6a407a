/*
 * Linked into a static binary with glibc. Such a binary cannot load the machine's own plug-ins for looking up
 * names (mdns, resolve, myhostname and others that /etc/nsswitch.conf may ask for): with those of another glibc
 * it is killed at the first name that it looks up. Files and DNS are built into it, and are all that it uses.
 */
#include <nss.h>

__attribute__((constructor)) static void use_built_in_lookups(void)
{
    __nss_configure_lookup("hosts", "files dns");
    __nss_configure_lookup("passwd", "files");
    __nss_configure_lookup("group", "files");
}
