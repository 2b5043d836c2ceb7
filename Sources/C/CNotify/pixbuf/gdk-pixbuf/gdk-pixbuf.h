/// Instead of GdkPixbuf's own: libnotify's headers name its type, for two functions that nobody calls here. With the
/// real one, or with what pkg-config says of libnotify, the program would be linked with a library of images.
#ifndef CNOTIFY_GDK_PIXBUF_H
#define CNOTIFY_GDK_PIXBUF_H

typedef struct _GdkPixbuf GdkPixbuf;

#endif
