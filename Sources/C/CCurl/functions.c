// Lazily loaded functions of libcurl and OpenSSL. Loading libcurl also loads about thirty other libraries.
#include <lazy_load.h>

LAZY_LOAD_NOTE("libcrypto.so.3");
#define CRYPTO(name) LAZY_LOAD("libcrypto.so.3", name)
CRYPTO(CRYPTO_free);
CRYPTO(ERR_clear_error);
CRYPTO(EVP_Digest);
CRYPTO(EVP_sha256);
CRYPTO(OPENSSL_sk_num);
CRYPTO(OPENSSL_sk_value);
CRYPTO(X509_LOOKUP_ctrl);
CRYPTO(X509_LOOKUP_hash_dir);
CRYPTO(X509_STORE_CTX_get0_chain);
CRYPTO(X509_STORE_CTX_set_error);
CRYPTO(X509_STORE_add_lookup);
CRYPTO(X509_STORE_free);
CRYPTO(X509_STORE_load_file);
CRYPTO(X509_STORE_new);
CRYPTO(X509_STORE_set_default_paths);
CRYPTO(X509_STORE_set_flags);
CRYPTO(X509_get_X509_PUBKEY);
CRYPTO(X509_get_default_cert_dir);
CRYPTO(X509_get_default_cert_dir_env);
CRYPTO(X509_get_default_cert_file_env);
CRYPTO(X509_verify_cert);
CRYPTO(i2d_X509_PUBKEY);

LAZY_LOAD_NOTE("libssl.so.3");
#define SSL(name) LAZY_LOAD("libssl.so.3", name)
SSL(SSL_CTX_ctrl);
SSL(SSL_CTX_set_cert_verify_callback);

LAZY_LOAD_NOTE("libcurl.so.4");
#define CURL(name) LAZY_LOAD("libcurl.so.4", name)
CURL(curl_easy_cleanup);
CURL(curl_easy_getinfo);
CURL(curl_easy_init);
CURL(curl_easy_pause);
CURL(curl_easy_setopt);
CURL(curl_easy_strerror);
CURL(curl_free);
CURL(curl_global_init);
CURL(curl_multi_add_handle);
CURL(curl_multi_cleanup);
CURL(curl_multi_info_read);
CURL(curl_multi_init);
CURL(curl_multi_remove_handle);
CURL(curl_multi_setopt);
CURL(curl_multi_socket_action);
CURL(curl_slist_append);
CURL(curl_slist_free_all);
CURL(curl_url);
CURL(curl_url_cleanup);
CURL(curl_url_get);
CURL(curl_url_set);
